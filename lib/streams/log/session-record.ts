// A record is an event with what numbering and writing added to it; a line's bytes are made once, for the log and every client.
import type { AgentEvent } from '../events/event.ts'

/** An event on its way from the run to the log: numbered next. */
export interface PendingRecord {
  readonly event: AgentEvent
  readonly runId?: string | undefined
  /** The command that caused it (idempotence key of PROTOCOL.md "The wire"). */
  readonly opId?: string | undefined
}

/** An event as it was recorded. `seq` and `line` are there exactly for durable events. */
export interface SessionRecord extends PendingRecord {
  readonly at: number
  readonly seq?: number | undefined
  /** The log line without its line feed. */
  readonly line?: string | undefined
}
