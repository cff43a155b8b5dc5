// What is injected is told to the model with one request and stands nowhere else: the next request has its own.
import { defaultIfEmpty, map, switchMap, take, takeUntil, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentContext, ContextTransform } from '../../streams/ports/agent-context.ts'
import { Failure } from '../../streams/values/failure.ts'
import { longestDelay } from '../core/time-limits.ts'

export interface InjectContextOptions {
  /**
   * `end` (default): a user message of its own behind all others, so that the provider's prompt cache holds for everything
   * before it. `system`: a paragraph at the end of the system prompt, for what rarely changes.
   */
  readonly place?: 'end' | 'system'
  /** Milliseconds to wait for the source's first value; then the context goes on without. 0: only what it has at once. Default 1,000. */
  readonly waitMs?: number
}

/**
 * Adds the current text of `source$`: it is subscribed for each request anew, its first value counts, and it is let go of
 * again. Give it what has a value when it is subscribed: `defer(() => of(…))` for a clock, `shareReplay({ bufferSize: 1,
 * refCount: true })` or a `Behavior` for a file watcher. An empty text adds nothing, and neither does a source that ends
 * without one.
 *
 * Stands behind `keepRecent` in a pipe: before it, the injected message would be the last that a user said.
 *
 * Ends with its source and fails with it or `source$` (`catchError` there, if the run is to go on). A context that comes
 * while another waits takes its place; unsubscribing lets go of both sources.
 * @throws Failure `bad_request` for a `waitMs` that no timer keeps
 */
export function injectContext(
  source$: Observable<string>,
  { place = 'end', waitMs = 1_000 }: InjectContextOptions = {},
): ContextTransform {
  if (!(waitMs >= 0 && waitMs <= longestDelay)) {
    throw new Failure('bad_request', `injectContext: waitMs is ${waitMs}; give 0 to ${longestDelay}`)
  }
  const add = place === 'end' ? atEnd : inSystem
  return switchMap((context) =>
    source$.pipe(
      take(1),
      takeUntil(timer(waitMs)),
      defaultIfEmpty(''),
      map((text) => (text === '' ? context : add(context, text))),
    ),
  )
}

/** The message is as old as the one before it: a clock would make the same context different each time. */
function atEnd(context: AgentContext, text: string): AgentContext {
  const timestamp = context.messages.at(-1)?.timestamp ?? 0
  return { ...context, messages: [...context.messages, { role: 'user', content: text, timestamp }] }
}

function inSystem(context: AgentContext, text: string): AgentContext {
  return { ...context, system: context.system === '' ? text : `${context.system}\n\n${text}` }
}
