// Runs a hook within its time limit.
import { EMPTY, catchError, defaultIfEmpty, defer, filter, from, map, merge, of, take, takeUntil } from 'rxjs'
import type { Observable, ObservableInput } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { HookAnswer } from '../../streams/ports/hooks.ts'
import { pausableTimer } from '../core/time-limits.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import type { CallPorts } from '../ports/run-ports.ts'

/** The time limit of a hook that sets none, in milliseconds. */
export const hookLimitMs = 30_000

interface HookSurroundings {
  /** Milliseconds. Default `hookLimitMs`. */
  readonly limitMs?: number | undefined
  /** The time stands still while this is true. */
  readonly questionOpen$?: Observable<boolean> | undefined
}

/**
 * Calls a hook and emits its answer (the first value of a stream, undefined if it has none), then completes. Fails if
 * the hook throws or fails, or with Failure `timeout`, naming it, after `hookLimitMs`. The time pauses while
 * `questionOpen$` is true. On unsubscribe the hook is unsubscribed.
 */
export function runHook<Answer>(
  name: string,
  call: () => HookAnswer<Answer>,
  { limitMs = hookLimitMs, questionOpen$ }: HookSurroundings = {},
): Observable<Answer | undefined> {
  return merge(
    defer(() => answerOf(call())).pipe(defaultIfEmpty(undefined)),
    pausableTimer(limitMs, questionOpen$).pipe(
      map(() => {
        throw timeoutFailure(name, limitMs)
      }),
    ),
  ).pipe(take(1))
}

/** The answer as a stream; a value alone is one. */
export function answerOf<Answer>(answer: HookAnswer<Answer>): Observable<Answer | undefined> {
  return isStream(answer) ? from(answer) : of(answer)
}

/** Keys of streams and promises; no answer of a hook has any of them. */
const streamKeys = ['subscribe', 'then', 'getReader', Symbol.iterator, Symbol.asyncIterator]

function isStream<Answer>(answer: HookAnswer<Answer>): answer is ObservableInput<Answer | undefined> {
  return typeof answer === 'object' && answer !== null && streamKeys.some((key) => key in answer)
}

function timeoutFailure(name: string, limitMs: number): Failure {
  return new Failure('timeout', `The hook ${name} did not answer within ${limitMs / 1000} s.`)
}

interface TurnHookOptions {
  readonly stop: StopSwitch
  readonly ports: Pick<CallPorts, 'questionOpen$' | 'hooks'>
}

/**
 * Runs a hook of a turn or of the end of a run. Emits its answer if it has one, and completes when it has answered, or
 * at once if the run stops. Never fails: a hook that fails or takes longer than its limit stops the run as `error`,
 * with a Failure that names it. On unsubscribe the hook is unsubscribed.
 */
export function runTurnHook<Answer>(
  name: 'beforeTurn' | 'afterTurn' | 'runEnd',
  call: () => HookAnswer<Answer>,
  { stop, ports: { questionOpen$, hooks } }: TurnHookOptions,
): Observable<Answer> {
  return defer(() => runHook(name, call, { limitMs: hooks.limitMs, questionOpen$ })).pipe(
    filter((answer) => answer !== undefined),
    takeUntil(stop.stop$),
    catchError((error: unknown) => {
      const { code, message } = Failure.from(error)
      stop.stop('error', new Failure(code, `The hook ${name} failed: ${message}`, { cause: error }))
      return EMPTY
    }),
  )
}
