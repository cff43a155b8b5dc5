// Retries a failed request while nothing of its answer was visible; each further attempt is an event.
import { asyncScheduler, catchError, concat, defer, ignoreElements, of, tap, throwError, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { RetryOptions } from '../ports/run-ports.ts'
import type { EventNamed } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { FailureData, ProviderFailureKind } from '../../streams/values/failure.ts'
import { longestDelay } from '../core/time-limits.ts'

const retryable = new Set<ProviderFailureKind>(['rate_limit', 'overloaded', 'network', 'stall', 'early_end'])

/**
 * Returns the replacement of a request whose attempts are over and of which nothing was visible; undefined: the failure
 * is passed on. A throw is the request's failure.
 */
export type Instead<Value> = (failure: Failure) => Observable<Value> | undefined

export interface RetryRequestOptions extends RetryOptions {
  /** True if another model follows: a busy provider then gets `attempts`, not minutes. Default false. */
  readonly hasFallback?: boolean
}

/**
 * Subscribes to `attempt(1)`, and after a failure that may pass to `attempt(2)` …, with an `auto_retry` event and a
 * wait between them: exponential with jitter, or `retryAfterMs`. A failure with `otherKey` is followed at once by the
 * same attempt, as often as there are other keys; its event names both keys. A rate limit or an overload without
 * another key or a fallback is tried again for `busyMs`. After a block delta, or for a failure that will not pass
 * (authentication, bad request, overflow, refusal), the failure is passed on; if nothing was visible, `instead` may
 * replace the request. Unsubscribing ends attempt or wait. Buffers nothing.
 */
export function retryRequest<Other = never>(
  attempt: (number: number) => Observable<AssistantDelta>,
  options: RetryRequestOptions = {},
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
  return attemptsFrom({ attempt: 1, keyChanges: 0, failures: 0 })
}

interface RetryState {
  /** From 1. */
  readonly attempt: number
  /** In this attempt. */
  readonly keyChanges: number
  /** Attempts that count for `attempts`. */
  readonly failures: number
  /** The time of the first failure because the provider was busy. */
  readonly busySince?: number
}

interface Retry {
  readonly event: EventNamed<'auto_retry'>
  readonly state: RetryState
}

function nextKey({ message, data }: Failure, state: RetryState): Retry | undefined {
  const { attempt, keyChanges } = state
  const { otherKey, kind } = data
  if (otherKey === undefined || kind === undefined || keyChanges >= otherKey.keys - 1) return undefined
  const { from, to } = otherKey
  return {
    event: { type: 'auto_retry', attempt, delayMs: 0, kind, from, to, message },
    state: { ...state, keyChanges: keyChanges + 1 },
  }
}

function nextAttempt(failure: Failure, state: RetryState, options: RetryRequestOptions): Retry | undefined {
  const { message, data } = failure
  const { kind } = data
  if (kind === undefined || !retryable.has(kind)) return undefined
  const next = canWaitLonger(failure, options) ? nextBusyAttempt(data, state, options) : nextOfFew(data, state, options)
  if (next === undefined) return undefined
  const attempt = state.attempt + 1
  return {
    event: { type: 'auto_retry', attempt, delayMs: next.delayMs, kind, message },
    state: { ...state, ...next.counts, attempt, keyChanges: 0 },
  }
}

const busy = new Set<ProviderFailureKind | undefined>(['rate_limit', 'overloaded'])
const defaultBusyMs = 600_000
const defaultAttempts = 3

function canWaitLonger({ data }: Failure, options: RetryRequestOptions): boolean {
  const { hasFallback } = options
  return busy.has(data.kind) && busyTime(options) > 0 && hasFallback !== true && data.otherKey === undefined
}

function busyTime({ attempts, busyMs = attempts === undefined ? defaultBusyMs : 0 }: RetryRequestOptions): number {
  return busyMs
}

/** A wait, and what it changes in the state. */
interface NextWait {
  readonly delayMs: number
  readonly counts: Partial<RetryState>
}

/** One of a few attempts: neither the back-off nor the provider's own wait exceeds the longest wait. */
function nextOfFew(data: FailureData, state: RetryState, options: RetryRequestOptions): NextWait | undefined {
  const { attempts = defaultAttempts } = options
  const failures = state.failures + 1
  if (failures >= attempts) return undefined
  const delayMs = Math.ceil(requestedWait(data) ?? backOff(state, options))
  return delayMs > longestWait(options) ? undefined : { delayMs, counts: { failures } }
}

/** Waits until the time for a busy provider is over; the last attempt is at its end. */
function nextBusyAttempt(data: FailureData, state: RetryState, options: RetryRequestOptions): NextWait | undefined {
  const { attempts = defaultAttempts } = options
  const now = asyncScheduler.now()
  const busySince = Math.min(state.busySince ?? now, now) // the clock may have been set back
  const left = Math.min(busySince + busyTime(options) - now, longestDelay)
  const requested = requestedWait(data)
  if (left <= 0 || (requested ?? 0) > left) return undefined
  const own = Math.min(backOff(state, options), left)
  // a provider that always asks for no wait is not asked without end
  const delayMs = requested === undefined || state.attempt >= attempts ? Math.max(requested ?? 0, own) : requested
  return { delayMs: Math.ceil(delayMs), counts: { busySince } }
}

/** The wait that the provider asks for. A negative one is not a valid answer. */
function requestedWait({ retryAfterMs }: FailureData): number | undefined {
  return retryAfterMs !== undefined && retryAfterMs >= 0 ? retryAfterMs : undefined
}

function backOff({ attempt }: RetryState, options: RetryRequestOptions): number {
  const { baseDelayMs = 1_000, jitter = Math.random } = options
  return Math.min(baseDelayMs * 2 ** (attempt - 1) * (1 + jitter() / 4), longestWait(options))
}

function longestWait({ maxDelayMs = 60_000 }: RetryRequestOptions): number {
  return Math.min(maxDelayMs, longestDelay)
}

function wait(delayMs: number): Observable<never> {
  return timer(delayMs, asyncScheduler).pipe(ignoreElements())
}
