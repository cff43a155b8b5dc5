// Parses a server's lines into frames, and defines the events that a client emits.
import type { FailureShape, AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { HelloFrame } from './frame.ts'
import type { ResultOf } from '../../streams/commands/command.ts'

export interface ResponseFrame {
  readonly type: 'response'
  readonly id: string | null
  readonly ok: boolean
  /** If `ok`. */
  readonly result?: unknown
  /** If not `ok`. */
  readonly error?: FailureShape
}

export interface EventFrame {
  readonly type: 'event'
  readonly session: string
  readonly event: { readonly type: string }
  /** For a durable event. */
  readonly seq?: number
  readonly at?: number
  readonly runId?: string
  readonly opId?: string
}

export interface DeltaFrame {
  readonly type: 'delta'
  readonly channel: number
  readonly entryId: string
  readonly block: number
  readonly offset: number
  readonly text: string
}

/** The client's position in a session's log. */
export interface PositionFrame {
  readonly type: 'caught_up' | 'lagging'
  readonly session: string
  readonly seq: number
}

/** A call of a tool that this client offers to the session. */
export interface ChannelCallFrame {
  readonly type: 'channel_call'
  readonly session: string
  readonly callId: string
  /** The id of the call in the conversation. A server of version 0.1 does not send it. */
  readonly toolCallId?: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

export interface ChannelCancelFrame {
  readonly type: 'channel_cancel'
  readonly session: string
  readonly callId: string
}

export type ServerFrame =
  | HelloFrame
  | ResponseFrame
  | EventFrame
  | DeltaFrame
  | PositionFrame
  | ChannelCallFrame
  | ChannelCancelFrame

const knownTypes = new Set<string>([
  'hello',
  'response',
  'event',
  'delta',
  'caught_up',
  'lagging',
  'channel_call',
  'channel_cancel',
] satisfies ServerFrame['type'][])

/**
 * Returns a line as a frame; undefined for an unknown type. The client trusts the server that it chose, so a frame is
 * checked only to be an object with a type.
 * @throws Failure `bad_json`
 */
export function parseServerFrame(line: string): ServerFrame | undefined {
  const frame = parseLine(line)
  if (typeof frame !== 'object' || frame === null || !('type' in frame)) {
    throw new Failure('bad_json', `The server sent a line that is not a frame of the protocol: ${line.slice(0, 80)}`)
  }
  return typeof frame.type === 'string' && knownTypes.has(frame.type) ? (frame as ServerFrame) : undefined // trusted
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new Failure('bad_json', `The server sent a line that is not JSON: ${line.slice(0, 80)}`, { cause })
  }
}

/** An event for `foldSession`. Only a durable one has `seq`, `at` and `line`. */
export interface ReceivedEvent {
  readonly type: 'event'
  readonly event: AgentEvent
  readonly seq?: number
  readonly at?: number
  readonly runId?: string
  readonly opId?: string
  /** The bytes of the log line, without its line feed. */
  readonly line?: string
}

export type ClientEvent =
  /** Comes first: the result of `attach`. */
  | ({ readonly type: 'attached' } & ResultOf<'attach'>)
  | ReceivedEvent
  /**
   * The log was sent up to `seq`; live events follow. Comes if `after` or `tail` was requested, and after `lagging`.
   */
  | { readonly type: 'caught_up'; readonly seq: number }
  /** This client takes too little: events after `seq` are sent when it has taken the earlier ones, then `caught_up`. */
  | { readonly type: 'lagging'; readonly seq: number }
