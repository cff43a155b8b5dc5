// Runs a hook within its time limit.
import { defaultIfEmpty, defer, from, map, merge, of, take, EMPTY, catchError, ignoreElements, takeUntil } from 'rxjs'
import type { Observable, ObservableInput } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { HookAnswer } from '../../streams/ports/hooks.ts'
import { pausableTimer } from '../core/time-limits.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import type { CallPorts } from '../ports/run-ports.ts'

/** The time limit of a hook, in milliseconds. */
export const hookLimitMs = 30_000

/**
 * Calls a hook and emits its answer (the first value of a stream, undefined if it has none), then completes. Fails if the
 * hook throws or fails, or with Failure `timeout`, naming it, after `hookLimitMs`. The time pauses while
 * `questionOpen$` is true. On unsubscribe the hook is unsubscribed.
 */
export function runHook<Answer>(
  name: string,
  call: () => HookAnswer<Answer>,
  questionOpen$?: Observable<boolean>,
): Observable<Answer | undefined> {
  return merge(
    defer(() => answerOf(call())).pipe(defaultIfEmpty(undefined)),
    pausableTimer(hookLimitMs, questionOpen$).pipe(
      map(() => {
        throw timeoutFailure(name)
      }),
    ),
  ).pipe(take(1))
}

function answerOf<Answer>(answer: HookAnswer<Answer>): Observable<Answer | undefined> {
  return isStream(answer) ? from(answer) : of(answer)
}

/** Keys of streams and promises; no answer of a hook has any of them. */
const streamKeys = ['subscribe', 'then', 'getReader', Symbol.iterator, Symbol.asyncIterator]

function isStream<Answer>(answer: HookAnswer<Answer>): answer is ObservableInput<Answer | undefined> {
  return typeof answer === 'object' && answer !== null && streamKeys.some((key) => key in answer)
}

function timeoutFailure(name: string): Failure {
  return new Failure('timeout', `The hook ${name} did not answer within ${hookLimitMs / 1000} s.`)
}

/**
 * Runs a hook of a turn and completes when it has answered, or at once if the run stops. Emits nothing and never fails: a
 * hook that fails or takes longer than 30 s stops the run as `error`, with a Failure that names it. On unsubscribe the hook
 * is unsubscribed.
 */
export function runTurnHook(
  name: 'beforeTurn' | 'afterTurn',
  call: () => unknown,
  { stop, ports: { questionOpen$ } }: { readonly stop: StopSwitch; readonly ports: Pick<CallPorts, 'questionOpen$'> },
): Observable<never> {
  return defer(() => runHook(name, call, questionOpen$)).pipe(
    ignoreElements(),
    takeUntil(stop.stop$),
    catchError((error: unknown) => {
      const { code, message } = Failure.from(error)
      stop.stop('error', new Failure(code, `The hook ${name} failed: ${message}`, { cause: error }))
      return EMPTY
    }),
  )
}
