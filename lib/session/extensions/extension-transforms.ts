// Joins the context transforms of extensions and their hooks `context`, by priority.
import { concatMap, defaultIfEmpty, map, of, takeLast } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import { defaultHookLimitMs } from '../../extensions/api/extension-api.ts'
import type { Entry } from '../../extensions/lifecycle/contribution-registry.ts'
import type { ExtensionSet } from '../../extensions/lifecycle/set-contract.ts'
import type { HookAnswer } from '../../streams/ports/hooks.ts'
import type { AgentContext, ContextTransform } from '../../streams/ports/agent-context.ts'
import { Failure } from '../../streams/values/failure.ts'
import { callGuarded } from './run-extension-hooks.ts'

type Step = Pick<Entry<unknown>, 'owner' | 'priority' | 'end$'> & {
  readonly limitMs: number
  readonly name: string
  change(context: AgentContext): HookAnswer<AgentContext>
}

/**
 * Passes each context through what is registered then, the highest priority first. One that fails, takes longer than its limit
 * or emits nothing is a fault of its extension: the context goes on as it was before. Ends with its source, and buffers one
 * context.
 */
export function extensionTransforms(set: ExtensionSet): MonoTypeOperatorFunction<AgentContext> {
  return concatMap((context) =>
    stepsOf(set).reduce<Observable<AgentContext>>(
      (before$, step) =>
        before$.pipe(
          concatMap((before) =>
            callGuarded(set, step, () => step.change(before)).pipe(map((after) => after ?? before)),
          ),
        ),
      of(context),
    ),
  )
}

function stepsOf({ contributions: { transforms, hooks } }: ExtensionSet): readonly Step[] {
  const steps = [
    ...transforms.entries.map(({ value, ...entry }): Step => ({
      ...entry,
      name: 'a context transform',
      limitMs: defaultHookLimitMs,
      change: (context) => transformed(value, context),
    })),
    ...hooks.context.entries.map(({ value: { hook, limitMs }, ...entry }): Step => ({
      ...entry,
      name: 'the hook context',
      limitMs,
      change: hook,
    })),
  ]
  return steps.length > 1 ? steps.toSorted((one, other) => other.priority - one.priority) : steps
}

/** The last context that the transform emits; fails if there is none. */
function transformed(transform: ContextTransform, context: AgentContext): Observable<AgentContext> {
  return of(context).pipe(
    transform,
    takeLast(1),
    defaultIfEmpty(undefined),
    map((after) => {
      if (after === undefined) throw new Failure('bad_request', 'it completed without a context')
      return after
    }),
  )
}
