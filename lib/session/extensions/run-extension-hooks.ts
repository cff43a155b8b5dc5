// Calls the hooks of extensions in the order of their priority, as the hooks of a session.
// Guarantees: a hook that fails is a fault of its extension; hooks about calls, results and people's commands then refuse.
import {
  EMPTY,
  catchError,
  concatMap,
  defaultIfEmpty,
  first,
  from,
  ignoreElements,
  map,
  mergeMap,
  of,
  raceWith,
  take,
  throwError,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { runHook } from '../../operators/hooks/run-hook.ts'
import { longestDelay } from '../../operators/core/time-limits.ts'
import type { Entry } from '../../extensions/lifecycle/contribution-registry.ts'
import type { ExtensionHook, ExtensionHookTypes, HookName } from '../../extensions/api/extension-hooks.ts'
import type { ExtensionSet } from '../../extensions/lifecycle/set-contract.ts'
import type { HookEntry } from '../../extensions/lifecycle/contributions.ts'
import type {
  BeforeToolCallAnswer,
  HookAnswer,
  Hooks,
  InputAnswer,
  InputHookInput,
  LeaveAnswer,
  LeaveStep,
  ToolCallHookInput,
  UserCommandAnswer,
  UserCommandInput,
} from '../../streams/ports/hooks.ts'
import type { Secrets } from '../../streams/ports/secrets.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'

/** Something of an extension that is called. */
interface Called extends Pick<Entry<unknown>, 'owner' | 'end$'> {
  /** For people: `the hook tool_call`. */
  readonly name: string
  readonly limitMs: number
}

/**
 * The answer; undefined if there is none, and if the extension is unloaded meanwhile. A throw, a failure, and an answer that
 * takes too long are faults. The time stands still while a question is open.
 * @param onFault `fail`: what waits for the answer fails with the fault. Default: there is no answer.
 */
export function callGuarded<Answer>(
  { faults, questionOpen$ }: ExtensionSet,
  { owner, end$, name, limitMs }: Called,
  act: () => HookAnswer<Answer>,
  onFault: 'skip' | 'fail' = 'skip',
): Observable<Answer | undefined> {
  return runHook(name, act, { limitMs, questionOpen$ }).pipe(
    catchError((thrown: unknown) => {
      const failure = faults.report(owner, name, thrown)
      return onFault === 'fail' ? throwError(() => failure) : EMPTY
    }),
    raceWith(end$.pipe(map(() => undefined))),
    take(1),
    defaultIfEmpty(undefined),
  )
}

export function callHook<Answer>(
  set: ExtensionSet,
  name: string,
  { owner, end$, value: { limitMs } }: HookEntry<unknown>,
  hook: () => HookAnswer<Answer>,
  onFault?: 'skip' | 'fail',
): Observable<Answer | undefined> {
  return callGuarded(set, { owner, end$, limitMs, name: `the hook ${name}` }, hook, onFault)
}

/**
 * Calls the hooks of this name one after the other. Emits each answer that is not undefined.
 * @param extension whose hooks are called. Default: all
 */
export function callHooks<Name extends HookName>(
  set: ExtensionSet,
  name: Name,
  input: ExtensionHookTypes[Name][0],
  extension?: string,
): Observable<NonNullable<ExtensionHookTypes[Name][1]>> {
  const entries: readonly HookEntry<ExtensionHook<Name>>[] = set.contributions.hooks[name].entries
  return from(extension === undefined ? entries : entries.filter(({ owner }) => owner === extension)).pipe(
    concatMap((entry) => callHook(set, name, entry, () => entry.value.hook(input))),
    mergeMap((answer) => (answer === undefined ? EMPTY : [answer as NonNullable<typeof answer>])),
  )
}

/**
 * Calls the hooks of this name in order, without a wait between them: each gets what it observes in the order of its happening,
 * however long another takes. Completes when all have ended; emits nothing.
 */
export function notifyHooks<Name extends HookName>(
  set: ExtensionSet,
  name: Name,
  input: ExtensionHookTypes[Name][0],
): Observable<never> {
  const entries: readonly HookEntry<ExtensionHook<Name>>[] = set.contributions.hooks[name].entries
  return from(entries).pipe(
    mergeMap((entry) => callHook(set, name, entry, () => entry.value.hook(input))),
    ignoreElements(),
  )
}

/** Each hook gets what the one before it made. Emits once. */
function fold<Item, Answer>(
  entries: readonly Item[],
  start: Answer,
  step: (entry: Item, before: Answer) => Observable<Answer>,
): Observable<Answer> {
  return entries.reduce<Observable<Answer>>(
    (answer$, entry) => answer$.pipe(concatMap((before) => step(entry, before))),
    of(start),
  )
}

/**
 * The hooks of a session that call those of its extensions; they follow what is loaded and unloaded.
 * @param secrets hidden in what an extension puts out for a person's command
 */
export function extensionHooks(set: ExtensionSet, secrets?: Secrets): Hooks {
  const { hooks, tighten } = set.contributions
  const none = (name: HookName): boolean => hooks[name].entries.length === 0
  const all$ = (name: 'turn_start' | 'turn_end', input: never): Observable<never> =>
    callHooks(set, name, input).pipe(ignoreElements())
  return {
    limitMs: longestDelay, // each hook has a limit of its own
    input: (input) => (none('input') && none('before_agent_start') ? undefined : checkInput(set, input)),
    beforeLeave: (step) => beforeLeave(set, step),
    beforeTurn: (input) => (none('turn_start') ? undefined : all$('turn_start', input as never)),
    afterTurn: (input) => (none('turn_end') ? undefined : all$('turn_end', input as never)),
    runEnd: (input) =>
      none('agent_end')
        ? undefined
        : callHooks(set, 'agent_end', input).pipe(first(({ continueWith }) => continueWith !== undefined, undefined)),
    beforeToolCall: (input) => (none('tool_call') && tighten.entries.length === 0 ? undefined : decideCall(set, input)),
    afterToolCall: (input) => (none('tool_result') ? undefined : changeResult(set, input)),
    userCommand: (input) => (none('user_bash') ? undefined : decideUserCommand(set, secrets, input)),
  }
}

/** The first hook that cancels ends the row. */
function beforeLeave(set: ExtensionSet, step: LeaveStep): HookAnswer<LeaveAnswer> {
  const { before_switch: switching, before_branch: branching } = set.contributions.hooks
  const hooks = step.type === 'switch' ? switching : branching
  if (hooks.entries.length === 0) return undefined
  const answer$ = step.type === 'switch' ? callHooks(set, 'before_switch', step) : callHooks(set, 'before_branch', step)
  return answer$.pipe(first(({ cancel }) => cancel !== undefined, undefined))
}

/** The hooks `input`, then `before_agent_start` for a prompt that none refused. */
function checkInput(set: ExtensionSet, input: InputHookInput): Observable<InputAnswer> {
  const { hooks } = set.contributions
  const checked$ = fold<HookEntry<ExtensionHook<'input'>>, InputAnswer>(hooks.input.entries, {}, (entry, before) => {
    if (before.block !== undefined || before.handled === true) return of(before)
    const current = { ...input, text: before.text ?? input.text }
    return callHook(set, 'input', entry, () => entry.value.hook(current)).pipe(
      map((answer) => ({ ...before, ...answer })),
    )
  })
  return checked$.pipe(
    concatMap((answer) => {
      if (answer.block !== undefined || answer.handled === true || input.source !== 'prompt') return of(answer)
      return startNotes(set, answer.text ?? input.text).pipe(map(() => answer))
    }),
  )
}

/** The notes of `before_agent_start`; emits once. */
function startNotes(set: ExtensionSet, prompt: string): Observable<unknown> {
  return fold(set.contributions.hooks.before_agent_start.entries, {}, (entry) =>
    callHook(set, 'before_agent_start', entry, () => entry.value.hook({ prompt })).pipe(
      map((answer) => {
        if (answer?.note !== undefined) set.addNote(answer.note)
        return {}
      }),
    ),
  )
}

/** The hooks `tool_call`, then what tightens on the final arguments. A hook that fails refuses the call. */
function decideCall(set: ExtensionSet, input: ToolCallHookInput): Observable<BeforeToolCallAnswer> {
  const { hooks, tighten } = set.contributions
  const step =
    (name: string) =>
    (
      entry: HookEntry<(input: ToolCallHookInput) => HookAnswer<BeforeToolCallAnswer>>,
      before: BeforeToolCallAnswer,
    ) => {
      if (before.block !== undefined) return of(before)
      const current = { ...input, args: before.args ?? input.args }
      return callHook(set, name, entry, () => entry.value.hook(current), 'fail').pipe(
        map((answer) => ({
          ...before,
          ...(name === 'tool_call' ? answer : tightening(answer)),
          ...(before.ask === undefined ? {} : { ask: before.ask }),
        })),
      )
    }
  return fold(hooks.tool_call.entries, {}, step('tool_call')).pipe(
    concatMap((answer) => fold(tighten.entries, answer, step('policy.tighten'))),
  )
}

function tightening({ block, ask }: BeforeToolCallAnswer = {}): BeforeToolCallAnswer {
  return { ...(block === undefined ? {} : { block }), ...(ask === undefined ? {} : { ask }) }
}

/** A hook that fails makes the result an error: what it would have hidden stays hidden. */
function changeResult(
  set: ExtensionSet,
  input: ToolCallHookInput & { readonly result: ToolResult },
): Observable<ToolResult> {
  return fold(set.contributions.hooks.tool_result.entries, input.result, (entry, result) =>
    callHook(set, 'tool_result', entry, () => entry.value.hook({ ...input, result }), 'fail').pipe(
      map((answer) => answer ?? result),
    ),
  )
}

/**
 * The first hook that blocks, has a result or runs the command ends the row; the next one gets a changed command. A hook that
 * fails refuses the command: it would run in another place than the extension is there for.
 */
function decideUserCommand(
  set: ExtensionSet,
  secrets: Secrets | undefined,
  input: UserCommandInput,
): Observable<UserCommandAnswer> {
  const { user_bash: hooks } = set.contributions.hooks
  return fold<HookEntry<ExtensionHook<'user_bash'>>, UserCommandAnswer>(hooks.entries, {}, (entry, before) => {
    if (before.block !== undefined || before.run !== undefined) return of(before)
    const current = { ...input, command: before.command ?? input.command }
    return callHook(set, 'user_bash', entry, () => entry.value.hook(current), 'fail').pipe(
      map((answer = {}) => ({ ...before, ...set.userCommandAnswer(entry.owner, answer, secrets) })),
    )
  })
}
