// What a client hears of a session, in the order in which it happened.
import type { ResultOf } from '../../streams/commands/command.ts'
import type { AgentEvent } from '../../streams/events/event.ts'

/** An event; it fits `foldSession`. `seq`, `at` and `line` are there exactly for durable ones. */
export interface ReceivedEvent {
  readonly type: 'event'
  readonly event: AgentEvent
  readonly seq?: number
  readonly at?: number
  readonly runId?: string
  readonly opId?: string
  /** The log line, byte for byte, without its line feed. */
  readonly line?: string
}

export type ClientEvent =
  /** First of all: what `attach` was answered with. */
  | ({ readonly type: 'attached' } & ResultOf<'attach'>)
  | ReceivedEvent
  /** The log has been read up to `seq`; what follows is live. Only where `after` or `tail` was asked for, and after `lagging`. */
  | { readonly type: 'caught_up'; readonly seq: number }
  /** This client takes too little: what comes after `seq` is sent when it has taken what it was sent, then `caught_up`. */
  | { readonly type: 'lagging'; readonly seq: number }
