// Wraps events in the frames of a gateway: a name, a payload, two counters.
import { defer, map } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import { isDurable } from '../../streams/events/event.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { RecordedEvent } from '../events/measure-events.ts'
import { gatewayNames } from './gateway-names.ts'
import type { GatewayName } from './gateway-names.ts'

/** One event of a session as a gateway sends it. */
export interface GatewayEvent {
  readonly type: 'event'
  readonly event: GatewayName
  /** The fields of the event without its `type`; of a record also `at` and `runId`, and `session` if it is set. */
  readonly payload: Readonly<Record<string, unknown>>
  /** Counts the frames of this subscription from 1, without a gap. */
  readonly seq: number
  /**
   * The version of the session's state after this event: the `seq` of the last durable event. It never falls, and live events,
   * such as deltas, leave it as it is. A client with the same version has the same state.
   */
  readonly stateVersion: number
}

export interface GatewayEventsOptions {
  /** Added to each payload as `session`. Default: none. */
  readonly session?: string
  /** The version before the first event, for a source that does not begin at the start of the log. Default 0. */
  readonly stateVersion?: number
}

/**
 * Each event as one frame of a gateway: `{type: 'event', event: 'session.message.delta', payload, seq, stateVersion}`, in the
 * order of the source; none is left out. It takes events, the records of `session.records()`, or the `event` values of a
 * client. Plain events have no `seq` of the log: each durable one raises `stateVersion` by 1.
 *
 * Ends and fails with its source; buffers nothing but two numbers; on unsubscribe the source is unsubscribed.
 */
export function toGatewayEvents({ session, stateVersion: initial = 0 }: GatewayEventsOptions = {}): OperatorFunction<
  AgentEvent | RecordedEvent,
  GatewayEvent
> {
  return (source$) =>
    defer(() => {
      let seq = 0
      let stateVersion = initial
      return source$.pipe(
        map((value): GatewayEvent => {
          const { event, seq: logSeq, at, runId }: RecordedEvent = 'event' in value ? value : { event: value }
          const { type, ...fields } = event
          if (isDurable(event)) stateVersion = Math.max(stateVersion + 1, logSeq ?? 0)
          seq += 1
          const payload = {
            ...(session === undefined ? {} : { session }),
            ...(runId === undefined ? {} : { runId }),
            ...(at === undefined ? {} : { at }),
            ...fields,
          }
          return { type: 'event', event: gatewayNames[type], payload, seq, stateVersion }
        }),
      )
    })
}
