// Retries a failed request while nothing of its answer was visible; each further attempt is an event.
import { asyncScheduler, catchError, concat, defer, ignoreElements, of, tap, throwError, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { RetryOptions } from '../ports/run-ports.ts'
import type { EventNamed } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ProviderFailureKind } from '../../streams/values/failure.ts'
import { longestDelay } from '../core/time-limits.ts'

const retryable = new Set<ProviderFailureKind>(['rate_limit', 'overloaded', 'network', 'stall', 'early_end'])

/**
 * Returns the replacement of a request whose attempts are over and of which nothing was visible; undefined: the failure is
 * passed on. A throw is the request's failure.
 */
export type Instead<Value> = (failure: Failure) => Observable<Value> | undefined

/**
 * Subscribes to `attempt(1)`, and after a failure that may pass to `attempt(2)` …, with an `auto_retry` event and a wait
 * between them: exponential with jitter, or `retryAfterMs`. A failure with `otherKey` is followed at once by the same
 * attempt, as often as there are other keys; its event names both keys. After a block delta, or for a failure that will
 * not pass (authentication, bad request, overflow, refusal), the failure is passed on; if nothing was visible, `instead` may
 * replace the request. Unsubscribing ends attempt or wait. Buffers nothing.
 */
export function retryRequest<Other = never>(
  attempt: (number: number) => Observable<AssistantDelta>,
  options: RetryOptions = {},
  instead: Instead<Other> = () => undefined,
): Observable<AssistantDelta | EventNamed<'auto_retry'> | Other> {
  function attemptsFrom(state: RetryState): Observable<AssistantDelta | EventNamed<'auto_retry'> | Other> {
    return defer(() => {
      let isVisible = false
      return attempt(state.attempt).pipe(
        tap((delta) => {
          isVisible ||= 'contentIndex' in delta
        }),
        catchError((thrown: unknown) => {
          const failure = Failure.from(thrown, 'provider_error')
          if (isVisible) return throwError(() => failure)
          const next = nextKey(failure, state) ?? nextAttempt(failure, state, options)
          if (next === undefined) return instead(failure) ?? throwError(() => failure)
          const rest$ = defer(() => attemptsFrom(next.state))
          return concat(of(next.event), wait(next.event.delayMs), rest$)
        }),
      )
    })
  }
  return attemptsFrom({ attempt: 1, keyChanges: 0 })
}

interface RetryState {
  /** From 1. */
  readonly attempt: number
  /** In this attempt. */
  readonly keyChanges: number
}

interface Retry {
  readonly event: EventNamed<'auto_retry'>
  readonly state: RetryState
}

function nextKey({ message, data }: Failure, { attempt, keyChanges }: RetryState): Retry | undefined {
  const { otherKey, kind } = data
  if (otherKey === undefined || kind === undefined || keyChanges >= otherKey.keys - 1) return undefined
  const { from, to } = otherKey
  return {
    event: { type: 'auto_retry', attempt, delayMs: 0, kind, from, to, message },
    state: { attempt, keyChanges: keyChanges + 1 },
  }
}

function nextAttempt({ message, data }: Failure, { attempt }: RetryState, options: RetryOptions): Retry | undefined {
  const { attempts = 3, baseDelayMs = 1_000, maxDelayMs = 60_000, jitter = Math.random } = options
  const { kind, retryAfterMs } = data
  if (kind === undefined || !retryable.has(kind) || attempt >= attempts) return undefined
  const backOff = baseDelayMs * 2 ** (attempt - 1) * (1 + jitter() / 4)
  const longest = Math.min(maxDelayMs, longestDelay)
  const requested = retryAfterMs !== undefined && retryAfterMs >= 0 ? retryAfterMs : undefined
  const delayMs = Math.ceil(requested ?? Math.min(backOff, longest))
  if (delayMs > longest) return undefined
  return {
    event: { type: 'auto_retry', attempt: attempt + 1, delayMs, kind, message },
    state: { attempt: attempt + 1, keyChanges: 0 },
  }
}

function wait(delayMs: number): Observable<never> {
  return timer(delayMs, asyncScheduler).pipe(ignoreElements())
}
