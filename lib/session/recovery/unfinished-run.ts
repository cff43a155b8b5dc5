// Folds durable records to the progress of a run that has not settled.
import type { EventNamed } from '../../streams/events/event.ts'
import type { AssistantMessage, Usage } from '../../streams/messages/message.ts'
import { noUsage, addUsage } from '../../streams/messages/message.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'

/** A run that was active when its process ended. */
export interface UnfinishedRun {
  readonly startedAt: number
  /** The time of the run's last known event. */
  readonly lastAt: number
  /** Turns that have ended, and their usage. */
  readonly turns: number
  readonly usage: Usage
  /** The turn that was active. */
  readonly turn?: UnfinishedTurn
  /** Its `agent_end` is written: only `agent_settled` is missing. */
  readonly hasEnded: boolean
}

export interface UnfinishedTurn {
  readonly turnId: string
  /** The answer, once it has ended. */
  readonly answer?: { readonly entryId: string; readonly message: AssistantMessage }
  /** Start times, by the call's id. */
  readonly started: ReadonlyMap<string, number>
  /** Ends, by the call's id. */
  readonly ended: ReadonlyMap<string, EventNamed<'tool_execution_end'>>
  /** Entries of result messages that have ended, by the call's id, in order. */
  readonly results: ReadonlyMap<string, string>
}

/** Returns the run that the records leave unfinished. */
export function unfinishedRun(records: Iterable<SessionRecord>): UnfinishedRun | undefined {
  let run: UnfinishedRun | undefined
  for (const record of records) run = foldRun(run, record)
  return run
}

function foldRun(run: UnfinishedRun | undefined, { event, at }: SessionRecord): UnfinishedRun | undefined {
  if (event.type === 'agent_start') return { startedAt: at, lastAt: at, turns: 0, usage: noUsage, hasEnded: false }
  if (run === undefined || event.type === 'agent_settled') return undefined
  const known = { ...run, lastAt: at }
  switch (event.type) {
    case 'turn_start':
      return { ...known, turn: { turnId: event.turnId, started: new Map(), ended: new Map(), results: new Map() } }
    case 'turn_end': {
      const { turn, ...rest } = known
      return { ...rest, turns: run.turns + 1, usage: addUsage(run.usage, event.usage) }
    }
    case 'compaction':
    case 'summary_usage':
      return event.usage === undefined ? known : { ...known, usage: addUsage(run.usage, event.usage) }
    case 'agent_end':
      return { ...known, hasEnded: true }
    default:
      return run.turn === undefined ? known : { ...known, turn: foldTurn(run.turn, event, at) }
  }
}

function foldTurn(turn: UnfinishedTurn, event: SessionRecord['event'], at: number): UnfinishedTurn {
  switch (event.type) {
    case 'tool_execution_start':
      return { ...turn, started: new Map(turn.started).set(event.toolCallId, at) }
    case 'tool_execution_end':
      return { ...turn, ended: new Map(turn.ended).set(event.toolCallId, event) }
    case 'message_end': {
      const { entryId, message } = event
      if (message.role === 'assistant') return { ...turn, answer: { entryId, message } }
      if (message.role !== 'toolResult') return turn
      return { ...turn, results: new Map(turn.results).set(message.toolCallId, entryId) }
    }
    default:
      return turn
  }
}
