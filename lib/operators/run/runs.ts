// The one serialiser: a session's runs follow one another and never overlap.
import { Observable } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { PendingRecord } from '../../streams/log/log-line.ts'
import { concatDrain } from '../core/concat-drain.ts'
import { subscribeInner } from '../core/subscribe-inner.ts'

/** What a run is started with. */
export interface RunRequest {
  readonly runId: string
  /** Of the command that asked for it; it marks the line that the command's answer waits for. */
  readonly opId?: string
  /** Which line that is: the first of this type. Default `message_end`, the prompt's. */
  readonly answeredBy?: 'message_end' | 'agent_start'
}

/**
 * Maps run requests to their runs, one after the other (`concatDrain`), each event marked with its run. Buffers requests
 * that come before the run ahead has completed: few, for a session refuses a prompt while a run is on. `concatMap` would
 * fall silent after some 440 runs that were each asked for at the end of the one before and answered at once (RXJS.md 1).
 * Never fails where `start`'s runs do not; on unsubscribe the run under way is unsubscribed.
 */
export function runs<Request extends RunRequest>(
  start: (request: Request) => Observable<AgentEvent>,
): OperatorFunction<Request, PendingRecord> {
  return concatDrain((request) => marked(start(request), request))
}

function marked(
  events$: Observable<AgentEvent>,
  { runId, opId, answeredBy = 'message_end' }: RunRequest,
): Observable<PendingRecord> {
  return new Observable((subscriber) => {
    let untold = opId
    subscribeInner(events$, subscriber, {
      sure: (event) => {
        if (untold === undefined || event.type !== answeredBy) subscriber.next({ event, runId })
        else {
          const record = { event, runId, opId: untold }
          untold = undefined
          subscriber.next(record)
        }
      },
    })
  })
}
