// Joins several sets of hooks into one; the first of the list runs first.
import { concat, concatMap, first, from, ignoreElements, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type {
  BeforeToolCallAnswer,
  HookAnswer,
  Hooks,
  InputAnswer,
  InputHookInput,
  RunEndAnswer,
  ToolCallHookInput,
  UserCommandAnswer,
  UserCommandInput,
} from '../../streams/ports/hooks.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'
import { longestDelay } from '../core/time-limits.ts'
import { hookLimitMs, runHook } from './run-hook.ts'

/**
 * Each hook runs when the one before it has answered, within its own time limit. A hook that fails, fails the joined hook.
 * - `input`, `beforeToolCall`: the first that blocks ends the row. The text or the arguments that one changes are what the next
 *   one gets; the first question counts.
 * - `afterToolCall`: the result of one is what the next one gets.
 * - `aroundTool`: the first is the outermost.
 * - `runEnd`: the first that lets the run go on ends the row.
 * - `userCommand`: as `input`; the last `run` counts.
 * - `beforeLeave`: the first that cancels ends the row.
 * - `beforeTurn`, `afterTurn`: all of them.
 */
export function joinHooks(sets: readonly Hooks[]): Hooks {
  const [only = {}] = sets
  if (sets.length <= 1) return only
  const has = (name: keyof Hooks): boolean => sets.some((hooks) => hooks[name] !== undefined)
  return {
    limitMs: Math.min(
      longestDelay,
      sets.reduce((sum, { limitMs = hookLimitMs }) => sum + limitMs, 0),
    ),
    ...(has('input') && { input: (input) => checkInTurn(sets, input) }),
    ...(has('userCommand') && { userCommand: (input) => commandInTurn(sets, input) }),
    ...(has('beforeLeave') && {
      beforeLeave: (step) =>
        firstOf(
          sets,
          'beforeLeave',
          (hooks) => hooks.beforeLeave?.(step),
          ({ cancel }) => cancel !== undefined,
        ),
    }),
    ...(has('beforeTurn') && {
      beforeTurn: (input) => allOf(sets, 'beforeTurn', (hooks) => hooks.beforeTurn?.(input)),
    }),
    ...(has('afterTurn') && { afterTurn: (input) => allOf(sets, 'afterTurn', (hooks) => hooks.afterTurn?.(input)) }),
    ...(has('runEnd') && { runEnd: (input) => firstOf(sets, 'runEnd', (hooks) => hooks.runEnd?.(input), goesOn) }),
    ...(has('beforeToolCall') && { beforeToolCall: (input) => decideInTurn(sets, input) }),
    ...(has('aroundTool') && {
      aroundTool: (output$, input) =>
        sets.reduceRight((inner$, hooks) => hooks.aroundTool?.(inner$, input) ?? inner$, output$),
    }),
    ...(has('afterToolCall') && { afterToolCall: (input) => changeInTurn(sets, input) }),
  }
}

/** Each set gets the text of the one before it; the first that blocks ends the row. */
function checkInTurn(sets: readonly Hooks[], input: InputHookInput): Observable<InputAnswer> {
  return sets.reduce<Observable<InputAnswer>>(
    (answer$, hooks) =>
      answer$.pipe(
        concatMap((answer) => {
          if (answer.block !== undefined || answer.handled === true) return of(answer)
          const current = { ...input, text: answer.text ?? input.text }
          return runHook('input', () => hooks.input?.(current), hooks).pipe(map((next) => ({ ...answer, ...next })))
        }),
      ),
    of({}),
  )
}

/** Each set gets the command of the one before it; the first that blocks ends the row. */
function commandInTurn(sets: readonly Hooks[], input: UserCommandInput): Observable<UserCommandAnswer> {
  return sets.reduce<Observable<UserCommandAnswer>>(
    (answer$, hooks) =>
      answer$.pipe(
        concatMap((answer) => {
          if (answer.block !== undefined) return of(answer)
          const current = { ...input, command: answer.command ?? input.command }
          return runHook('userCommand', () => hooks.userCommand?.(current), hooks).pipe(
            map((next) => ({ ...answer, ...next })),
          )
        }),
      ),
    of({}),
  )
}

function goesOn({ continueWith }: RunEndAnswer): boolean {
  return continueWith !== undefined
}

/** Emits the first answer that `counts`, or undefined. */
function firstOf<Answer>(
  sets: readonly Hooks[],
  name: string,
  call: (hooks: Hooks) => HookAnswer<Answer>,
  counts: (answer: Answer) => boolean,
): Observable<Answer | undefined> {
  return from(sets).pipe(
    concatMap((hooks) => runHook(name, () => call(hooks), hooks)),
    first((answer) => answer !== undefined && counts(answer), undefined),
  )
}

function allOf(sets: readonly Hooks[], name: string, call: (hooks: Hooks) => unknown): Observable<never> {
  return concat(...sets.map((hooks) => runHook(name, () => call(hooks), hooks))).pipe(ignoreElements())
}

function decideInTurn(sets: readonly Hooks[], input: ToolCallHookInput): Observable<BeforeToolCallAnswer> {
  return sets.reduce<Observable<BeforeToolCallAnswer>>(
    (answer$, hooks) =>
      answer$.pipe(
        concatMap((answer) => {
          if (answer.block !== undefined) return of(answer)
          const current = { ...input, args: answer.args ?? input.args }
          return runHook('beforeToolCall', () => hooks.beforeToolCall?.(current), hooks).pipe(
            map((next) => ({ ...answer, ...next, ...(answer.ask === undefined ? {} : { ask: answer.ask }) })),
          )
        }),
      ),
    of({}),
  )
}

function changeInTurn(
  sets: readonly Hooks[],
  input: ToolCallHookInput & { readonly result: ToolResult },
): Observable<ToolResult> {
  return sets.reduce<Observable<ToolResult>>(
    (result$, hooks) =>
      result$.pipe(
        concatMap((result) =>
          runHook('afterToolCall', () => hooks.afterToolCall?.({ ...input, result }), hooks).pipe(
            map((next) => next ?? result),
          ),
        ),
      ),
    of(input.result),
  )
}
