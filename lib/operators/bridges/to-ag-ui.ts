// Translates a session's events into AG-UI, the protocol of agent front ends.
import { Observable } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionStatus } from '../../streams/state/session-status.ts'
import { operate } from '../core/operate.ts'
import type { AgUiEvent, AgUiState } from './ag-ui-events.ts'
import { AgUiRuns } from './ag-ui-run.ts'
import { agUiStateOf, changedMembers, emptyAgUiState, isQuestion, patchOf } from './ag-ui-state.ts'

export interface AgUiOptions {
  /** The id of the session. */
  readonly threadId: string
  /** The ids of the runs, counted from 1. Default: `THREAD:NUMBER`. */
  readonly runIdOf?: (number: number) => string
  /** The names of the tools that the front end runs: their calls pause the run as `pendingToolCallIds`. Default: none. */
  readonly frontEndTools?: ReadonlySet<string>
  /** The result of `get_state` before the first event, for a session that has events already. Default: an empty state. */
  readonly status?: SessionStatus
}

/**
 * The events of AG-UI for those of a session, in an order that `verifyEvents` of `@ag-ui/client` accepts: one AG-UI run for each
 * run, a step for each turn, text, reasoning and tool calls in pieces, results, a snapshot of the state at each start, and a JSON
 * Patch for each change in a run. Events without a counterpart are `CUSTOM` with the name `rxpi.TYPE`.
 *
 * AG-UI knows no question inside a run: an open one ends the AG-UI run as interrupt, and what follows is a run of its own with the
 * first as `parentRunId`. A call of a front-end tool does the same. A message that is appended between runs is a run of its own;
 * the next snapshot holds what else changed meanwhile.
 *
 * Ends with its source; a run that is open then ends with `RUN_ERROR`, code `incomplete`. Fails with its source. Buffers the state,
 * the length of each block of the open message, and results whose message is due; on unsubscribe the source is unsubscribed.
 */
export function toAgUi({
  threadId,
  runIdOf = (number) => `${threadId}:${number}`,
  frontEndTools = new Set(),
  status,
}: AgUiOptions): OperatorFunction<AgentEvent, AgUiEvent> {
  return (source$) =>
    new Observable((subscriber) => {
      const emit = (event: AgUiEvent): void => subscriber.next(event)
      const runs = new AgUiRuns(emit, { threadId, runIdOf, frontEndTools })
      let state: AgUiState = status === undefined ? emptyAgUiState : agUiStateOf(status)
      const start = (model?: string): void => {
        runs.start(model)
        emit({ type: 'STATE_SNAPSHOT', snapshot: state })
      }
      const inRun = (event: AgentEvent, changed: Partial<AgUiState> | undefined): void => {
        if (!runs.isOpen) start()
        else if (changed !== undefined) emit({ type: 'STATE_DELTA', delta: patchOf(changed) })
        if (isQuestion(event)) runs.pause({ type: 'interrupt', interrupts: state.questions })
        else if (changed === undefined) runs.event(event)
      }
      source$.subscribe(
        operate<AgentEvent, AgUiEvent>({
          destination: subscriber,
          next: (event) => {
            const changed = changedMembers(state, event)
            if (changed !== undefined) state = { ...state, ...changed }
            if (event.type === 'agent_start') {
              start(event.model)
              return
            }
            const isBetweenRuns = !runs.isOpen && !runs.hasPaused
            if (isBetweenRuns && event.type !== 'message_end') return
            if (event.type !== 'agent_end') inRun(event, changed)
            else {
              if (!runs.isOpen) start()
              runs.end(event)
            }
            if (isBetweenRuns) runs.finish({ type: 'success' })
          },
          complete: () => {
            runs.fail('incomplete', 'The events end within a run')
            subscriber.complete()
          },
        }),
      )
    })
}
