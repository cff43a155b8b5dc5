// Limits how many requests a provider gets: in a span of time, and at once.
import { Observable, asyncScheduler, defer } from 'rxjs'
import type { Subscription } from 'rxjs'
import type { Provider, ProviderOperator } from '../../streams/ports/provider.ts'
import { Failure } from '../../streams/values/failure.ts'
import { trampoline } from '../../streams/rx/trampoline.ts'
import { longestDelay } from '../core/time-limits.ts'

export interface RateLimitOptions {
  /** Requests that may begin within `perMs`: at least 1. Default: no limit. */
  readonly requests?: number
  /** Milliseconds of the span, which slides: 1 to 2³¹−1. Default 60,000. */
  readonly perMs?: number
  /** Requests that may run at once: at least 1. Default: no limit. */
  readonly concurrent?: number
  /** Requests that may wait; one more fails with `overloaded`. Default 1,000. */
  readonly waiting?: number
}

/**
 * A request waits until the limits allow it, in order of subscription; then its deltas pass unchanged. All requests of
 * the provider that it returns share the limits, also those of several sessions.
 *
 * While a request waits it emits nothing, so the idle limit of a session (`limits.idleMs`) counts the wait. Buffers the
 * waiting requests, `waiting` at most. Ends and fails as the provider does; unsubscribing ends the request, or the
 * wait, and the next one begins. A timer runs only while a request waits.
 * @throws Failure `bad_request` for a number that is not such a limit
 */
export function rateLimit(options: RateLimitOptions): ProviderOperator {
  const { requests = Infinity, perMs = 60_000, concurrent = Infinity, waiting = 1_000 } = options
  for (const [name, value] of Object.entries({ requests, concurrent }))
    if (!(value === Infinity || (Number.isInteger(value) && value >= 1))) throw badLimit(name, value, '1 or more')
  if (!(Number.isInteger(waiting) && waiting >= 0)) throw badLimit('waiting', waiting, '0 or more')
  if (!(perMs >= 1 && perMs <= longestDelay)) throw badLimit('perMs', perMs, `1 to ${longestDelay}`)
  return (provider) => limited(provider, { requests, perMs, concurrent, waiting })
}

function badLimit(name: string, value: number, range: string): Failure {
  return new Failure('bad_request', `rateLimit: ${name} is ${value}; give a whole number, ${range}`)
}

function limited(provider: Provider, options: Required<RateLimitOptions>): Provider {
  const gate = createGate(options)
  return (request) =>
    new Observable((subscriber) => {
      const slot = gate.enter(() => {
        // below the teardown: a provider that completes in the call leaves the gate then
        defer(() => provider(request)).subscribe(subscriber)
      })
      if (slot === undefined) {
        const message = `rateLimit: ${options.waiting} requests wait already; send fewer, or raise waiting`
        subscriber.error(new Failure('overloaded', message))
        return
      }
      subscriber.add(slot.leave)
      slot.open()
    })
}

/** The slot of one request. */
interface Slot {
  /** Lets in whoever may begin now. */
  open(): void
  leave(): void
}

interface Gate {
  /** Queues the request; undefined if too many wait. `begin` is called once, within an `open` or `leave`, or later. */
  enter(begin: () => void): Slot | undefined
}

function createGate({ requests, perMs, concurrent, waiting: mostWaiting }: Required<RateLimitOptions>): Gate {
  /** Times at which the last requests began, oldest first; at most `requests`. */
  let begun: number[] = []
  const waiting = new Set<() => void>()
  let running = 0
  let timer: Subscription | undefined

  /** Milliseconds until the span has room. */
  const delay = (): number => {
    const now = asyncScheduler.now()
    // a time to come: the clock was set back
    begun = begun.map((at) => Math.min(at, now)).filter((at) => at > now - perMs)
    const [oldest] = begun
    return oldest === undefined || begun.length < requests ? 0 : oldest + perMs - now
  }
  const letIn = trampoline(() => {
    timer?.unsubscribe()
    timer = undefined
    const [next] = waiting
    if (next === undefined || running >= concurrent) return false
    const ms = delay()
    if (ms > 0) {
      timer = asyncScheduler.schedule(letIn, ms)
      return false
    }
    waiting.delete(next)
    running += 1
    if (requests !== Infinity) begun.push(asyncScheduler.now())
    next()
    return true
  })
  return {
    enter: (begin) => {
      const isFree = waiting.size === 0 && running < concurrent && delay() === 0
      if (!isFree && waiting.size >= mostWaiting) return undefined
      let hasBegun = false
      const beginOnce = (): void => {
        hasBegun = true
        begin()
      }
      waiting.add(beginOnce)
      return {
        open: letIn,
        leave: () => {
          waiting.delete(beginOnce)
          if (hasBegun) running -= 1
          letIn()
        },
      }
    },
  }
}
