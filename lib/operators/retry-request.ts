// A request is tried again only while nothing of its answer was visible, and every further attempt is an event.
import { Observable, asyncScheduler, concat, defer, ignoreElements, of, timer } from 'rxjs'
import type { AssistantDelta } from '../streams/delta.ts'
import type { EventNamed } from '../streams/event.ts'
import { Failure } from '../streams/failure.ts'
import type { ProviderFailureKind } from '../streams/failure.ts'
import { longestDelay } from './idle-watch.ts'
import { subscribeInner } from './subscribe-inner.ts'

export interface RetryOptions {
  /** Attempts in all. Default 3. */
  readonly attempts?: number
  /** Milliseconds before the second attempt; doubled for each further one. Default 1,000. */
  readonly baseDelayMs?: number
  /** The longest wait, 2³¹−1 at most; a provider that asks for more ends the attempts. Default 60,000. */
  readonly maxDelayMs?: number
  /** A number in [0, 1) that spreads the waits. Default: `Math.random`. */
  readonly jitter?: () => number
}

const retryable = new Set<ProviderFailureKind>(['rate_limit', 'overloaded', 'network', 'stall', 'early_end'])

/**
 * Says what is subscribed in place of a request whose attempts are over and of which nothing was visible; undefined: the
 * failure is passed on. A throw is the request's failure.
 */
export type Instead<Value> = (failure: Failure) => Observable<Value> | undefined

/**
 * Subscribes to `attempt(1)`, and after a failure that may pass to `attempt(2)` …, with an `auto_retry` event and a wait
 * between them: exponential with jitter, or what `retryAfterMs` says. Once a block delta was seen, or for a failure that
 * will not pass (authentication, bad request, overflow, refusal), the failure is passed on — or, where nothing was visible,
 * `instead` has its say. Unsubscribing ends attempt or wait. Buffers nothing.
 */
export function retryRequest<Other = never>(
  attempt: (number: number) => Observable<AssistantDelta>,
  { attempts = 3, baseDelayMs = 1_000, maxDelayMs = 60_000, jitter = Math.random }: RetryOptions = {},
  instead: Instead<Other> = () => undefined,
): Observable<AssistantDelta | EventNamed<'auto_retry'> | Other> {
  const from = (number: number): Observable<AssistantDelta | EventNamed<'auto_retry'> | Other> =>
    new Observable((subscriber) => {
      let visible = false
      subscribeInner(attempt(number), subscriber, {
        sure: (delta) => {
          visible ||= 'contentIndex' in delta
          subscriber.next(delta)
        },
        error: (thrown) => {
          const failure = Failure.from(thrown, 'provider_error')
          const { kind, retryAfterMs } = failure.data
          const backOff = baseDelayMs * 2 ** (number - 1) * (1 + jitter() / 4)
          const longest = Math.min(maxDelayMs, longestDelay)
          const asked = retryAfterMs !== undefined && retryAfterMs >= 0 ? retryAfterMs : undefined
          const delayMs = Math.ceil(asked ?? Math.min(backOff, longest))
          const pointless = kind === undefined || !retryable.has(kind) || delayMs > longest
          if (visible || pointless || number >= attempts) {
            const other$ = visible ? undefined : instead(failure)
            if (other$ === undefined) subscriber.error(failure)
            else other$.subscribe(subscriber)
            return
          }
          const event = { type: 'auto_retry', attempt: number + 1, delayMs, kind, message: failure.message } as const
          const again$ = concat(
            of(event),
            wait(delayMs),
            defer(() => from(number + 1)),
          )
          again$.subscribe(subscriber)
        },
      })
    })
  return from(1)
}

function wait(delayMs: number): Observable<never> {
  return timer(delayMs, asyncScheduler).pipe(ignoreElements())
}
