// The one serialiser: a session's runs follow one another and never overlap.
import { concatMap, map } from 'rxjs'
import type { Observable, OperatorFunction } from 'rxjs'
import type { AgentEvent } from '../streams/event.ts'
import type { PendingRecord } from '../streams/session-record.ts'

/** What a run is started with. */
export interface RunRequest {
  readonly runId: string
  readonly opId?: string
}

/**
 * `concatMap` of run requests to their runs, each event marked with its run. Buffers requests that come before the run
 * ahead has completed: few, for a session refuses a prompt while a run is on. `concatMap` may serialise runs, never deltas
 * or lines (RXJS.md 1). Never fails where `start`'s runs do not; on unsubscribe the run under way is unsubscribed.
 */
export function runs<Request extends RunRequest>(
  start: (request: Request) => Observable<AgentEvent>,
): OperatorFunction<Request, PendingRecord> {
  return concatMap((request) => {
    const { runId } = request
    return start(request).pipe(map((event) => ({ event, runId })))
  })
}
