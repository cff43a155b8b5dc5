// Plays runs one at a time by `concatDrain`, and marks each event with its run.
import { defer, map } from 'rxjs'
import type { Observable, OperatorFunction } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { PendingRecord } from '../../streams/log/log-line.ts'
import { concatDrain } from '../core/concat-drain.ts'

/** The request that starts a run. */
export interface RunRequest {
  readonly runId: string
  /** Of the command that started the run; it marks the line that the command's response waits for. */
  readonly opId?: string
  /** That line: the first event of this type. Default: the `message_end` of the prompt, which notes may precede. */
  readonly answeredBy?: 'message_end' | 'agent_start'
}

/**
 * Maps run requests to their runs, one after the other (`concatDrain`), each event marked with its run. Buffers
 * requests that come before the run ahead has completed: few, for a session refuses a prompt while a run is on. Not
 * `concatMap`: of 2,000 runs that complete in the call, behind one that does not, it starts some hundreds
 * (docs/design/rxjs.md#1). Fails only if a run does; on unsubscribe the run under way is unsubscribed.
 */
export function runs<Request extends RunRequest>(
  start: (request: Request) => Observable<AgentEvent>,
): OperatorFunction<Request, PendingRecord> {
  return concatDrain((request) => markEvents(start(request), request))
}

function markEvents(
  events$: Observable<AgentEvent>,
  { runId, opId, answeredBy = 'message_end' }: RunRequest,
): Observable<PendingRecord> {
  return defer(() => {
    let pendingOpId = opId
    return events$.pipe(
      map((event) => {
        if (pendingOpId === undefined || !isAnswer(event, answeredBy)) return { event, runId }
        const record = { event, runId, opId: pendingOpId }
        pendingOpId = undefined
        return record
      }),
    )
  })
}

/** Whether the response of the command waits for this event. */
export function isAnswer(event: AgentEvent, answeredBy: NonNullable<RunRequest['answeredBy']>): boolean {
  if (event.type !== answeredBy) return false
  return event.type !== 'message_end' || event.message.role === 'user'
}
