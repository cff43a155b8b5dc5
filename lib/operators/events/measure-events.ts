// Derives figures and states from events: cost so far, values a second, the folded session.
import { Observable, asyncScheduler, defer, filter, map, scan } from 'rxjs'
import type { OperatorFunction, Subscription } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import { addUsage, noUsage } from '../../streams/messages/message.ts'
import type { Usage } from '../../streams/messages/message.ts'
import { emptySession, foldSession } from '../../streams/state/fold-session.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { Failure } from '../../streams/values/failure.ts'
import { operate } from '../core/operate.ts'
import { longestDelay } from '../core/time-limits.ts'

/** An event with what its log line adds: a record of a session, or an `event` value of a client. */
export type RecordedEvent = Pick<SessionRecord, 'event'> & Partial<Pick<SessionRecord, 'seq' | 'at' | 'runId' | 'opId'>>

/**
 * The state of a session after each event: `scan` with `foldSession`. It takes events, the records of
 * `session.records()`, or the `event` values of a client. A record has `seq`, time and run; from plain events the state
 * has none of them.
 *
 * `initial` creates the state to begin with, for each subscription: `foldSession` changes some of its maps in place.
 * Default: the empty session, for a source that begins at the start of the log.
 *
 * Emits once for each event, nothing before the first. Ends and fails with its source; buffers nothing but the state;
 * on unsubscribe the source is unsubscribed.
 */
export function foldEvents(
  initial: () => SessionState = emptySession,
): OperatorFunction<AgentEvent | RecordedEvent, SessionState> {
  return (source$) =>
    defer(() =>
      source$.pipe(scan((state, value) => foldSession(state, 'event' in value ? value : { event: value }), initial())),
    )
}

/** The usage of the answers and the compactions so far. */
export interface CostReading {
  /** Tokens of all answers; its `cost` is `unknown` as soon as that of one answer is. */
  readonly usage: Usage
  /** USD of the answers whose cost is known. */
  readonly usd: number
  /** How many answers have an unknown cost: with one, `usd` is too low. */
  readonly unpriced: number
}

/**
 * The running total of tokens and USD, after each answer of a model (`message_end`) and each compaction that reports a
 * usage. An answer that failed or was aborted counts what its provider reported.
 *
 * Emits nothing before the first answer. Ends and fails with its source; buffers nothing but the total; on unsubscribe
 * the source is unsubscribed.
 */
export function costMeter(): OperatorFunction<AgentEvent, CostReading> {
  return (source$) =>
    defer(() => {
      const nothing: CostReading = { usage: noUsage, usd: 0, unpriced: 0 }
      return source$.pipe(
        map(usageOf),
        filter((usage) => usage !== undefined),
        scan(addReading, nothing),
      )
    })
}

function usageOf(event: AgentEvent): Usage | undefined {
  if (event.type === 'compaction' || event.type === 'summary_usage') return event.usage
  if (event.type !== 'message_end') return undefined
  return event.message.role === 'assistant' ? event.message.usage : undefined
}

function addReading({ usage, usd, unpriced }: CostReading, added: Usage): CostReading {
  const isKnown = added.cost !== 'unknown'
  return {
    usage: addUsage(usage, added),
    usd: usd + (added.cost === 'unknown' ? 0 : added.cost.total),
    unpriced: unpriced + (isKnown ? 0 : 1),
  }
}

export interface PerSecondOptions<Value> {
  /** How much a value counts. Default: 1. */
  readonly sizeOf?: (value: Value) => number
  /** Milliseconds of one measurement, 1 to 2³¹−1. Default 1,000. */
  readonly everyMs?: number
}

/**
 * How much comes in a second: `textDeltas(), perSecond({ sizeOf: ({ length }) => length })` gives characters a second.
 * Time is measured in pieces of `everyMs` that begin with a value. At the end of each it emits the sum of its values,
 * as a rate per 1,000 ms; a piece without a value emits 0, and then nothing is measured, and no timer runs, until the
 * next value.
 *
 * When the source completes, the open piece is emitted as if it had lasted its whole time; an error drops it. Fails
 * with the source, or if `sizeOf` throws. Buffers a sum; on unsubscribe the source is unsubscribed and the timer is
 * cleared.
 * @throws Failure `bad_request` for an `everyMs` that is not 1 to 2³¹−1
 */
export function perSecond<Value>({ sizeOf = () => 1, everyMs = 1_000 }: PerSecondOptions<Value> = {}): OperatorFunction<
  Value,
  number
> {
  if (!(everyMs >= 1 && everyMs <= longestDelay))
    throw new Failure('bad_request', `perSecond: everyMs is ${everyMs}; give 1 to ${longestDelay}`)
  return (source$) =>
    new Observable((subscriber) => {
      let sum = 0
      let measuring: Subscription | undefined
      const emit = (): void => {
        const rate = (sum * 1_000) / everyMs
        sum = 0
        subscriber.next(rate)
      }
      const onPieceEnd = (): void => {
        measuring = undefined
        if (sum > 0) measure() // before the emission: its subscriber may unsubscribe, or cause the next value
        emit()
      }
      const measure = (): void => {
        measuring = asyncScheduler.schedule(onPieceEnd, everyMs)
      }
      subscriber.add(() => measuring?.unsubscribe())
      source$.subscribe(
        operate<Value, number>({
          destination: subscriber,
          next: (value) => {
            sum += sizeOf(value)
            if (measuring === undefined) measure()
          },
          complete: () => {
            measuring?.unsubscribe()
            if (sum > 0) emit()
            subscriber.complete()
          },
        }),
      )
    })
}
