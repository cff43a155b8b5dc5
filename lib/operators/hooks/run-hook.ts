// Awaited hooks hold a run back no longer than their limit.
import { defaultIfEmpty, defer, from, map, merge, of, take, EMPTY, catchError, ignoreElements, takeUntil } from 'rxjs'
import type { Observable, ObservableInput } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { HookAnswer } from '../../streams/ports/hooks.ts'
import { waitingLimit } from '../core/time-limits.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import type { CallPorts } from '../ports/run-ports.ts'

/** What a hook may take to answer, in milliseconds. */
export const hookLimitMs = 30_000

/**
 * Asks a hook and emits its answer, the first of a stream — undefined where it has none — then completes. Fails as the hook throws or fails,
 * or with Failure `timeout`, naming it, after `hookLimitMs`, which stand still while `asked$` says that people are asked. On unsubscribe
 * the hook is unsubscribed.
 */
export function askHook<Answer>(
  name: string,
  ask: () => HookAnswer<Answer>,
  asked$?: Observable<boolean>,
): Observable<Answer | undefined> {
  return merge(
    defer(() => answers(ask())).pipe(defaultIfEmpty(undefined)),
    waitingLimit(hookLimitMs, asked$).pipe(
      map(() => {
        throw tooLate(name)
      }),
    ),
  ).pipe(take(1))
}

function answers<Answer>(answer: HookAnswer<Answer>): Observable<Answer | undefined> {
  return isStream(answer) ? from(answer) : of(answer)
}

/** No hook's own answer has any of these. */
const streamKeys = ['subscribe', 'then', 'getReader', Symbol.iterator, Symbol.asyncIterator]

function isStream<Answer>(answer: HookAnswer<Answer>): answer is ObservableInput<Answer | undefined> {
  return typeof answer === 'object' && answer !== null && streamKeys.some((key) => key in answer)
}

function tooLate(name: string): Failure {
  return new Failure('timeout', `The hook ${name} did not answer within ${hookLimitMs / 1000} s.`)
}

// A turn waits for its hooks, for at most their limit; a stop waits for none, and one that fails ends the run.

/**
 * Asks the hook and completes when it has answered, at once where the run is to stop. Emits nothing and never fails: a hook
 * that fails or takes longer than 30 s stops the run, `error`, with a Failure that names it. On unsubscribe the hook is
 * unsubscribed.
 */
export function runTurnHook(
  name: 'beforeTurn' | 'afterTurn',
  ask: () => unknown,
  { stop, ports: { asked$ } }: { readonly stop: StopSwitch; readonly ports: Pick<CallPorts, 'asked$'> },
): Observable<never> {
  return defer(() => askHook(name, ask, asked$)).pipe(
    ignoreElements(),
    takeUntil(stop.stop$),
    catchError((error: unknown) => {
      const { code, message } = Failure.from(error)
      stop.stop('error', new Failure(code, `The hook ${name} failed: ${message}`, { cause: error }))
      return EMPTY
    }),
  )
}
