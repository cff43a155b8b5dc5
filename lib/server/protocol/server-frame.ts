// What a client understands of a server's lines; frames of a type that it does not know are passed over.
import type { FailureShape, AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { HelloFrame } from './frame.ts'
import type { ResultOf } from '../../streams/commands/command.ts'

export interface ResponseFrame {
  readonly type: 'response'
  readonly id: string | null
  readonly ok: boolean
  /** Where `ok`. */
  readonly result?: unknown
  /** Where not. */
  readonly error?: FailureShape
}

export interface EventFrame {
  readonly type: 'event'
  readonly session: string
  readonly event: { readonly type: string }
  /** Of a durable event. */
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

/** Where a client stands in a session's log. */
export interface PlaceFrame {
  readonly type: 'caught_up' | 'lagging'
  readonly session: string
  readonly seq: number
}

/** A call of a tool that this client offers to the session. */
export interface ChannelCallFrame {
  readonly type: 'channel_call'
  readonly session: string
  readonly callId: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

export interface ChannelCancelFrame {
  readonly type: 'channel_cancel'
  readonly session: string
  readonly callId: string
}

export type ServerFrame =
  HelloFrame | ResponseFrame | EventFrame | DeltaFrame | PlaceFrame | ChannelCallFrame | ChannelCancelFrame

const known = new Set<string>([
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
 * A line as a frame, or nothing where its type is not known. A server was chosen and checked before it was connected to, so
 * its frames are taken at their word once they are objects with a type.
 * @throws Failure `bad_json`
 */
export function serverFrame(line: string): ServerFrame | undefined {
  const frame = parsed(line)
  if (typeof frame !== 'object' || frame === null || !('type' in frame)) {
    throw new Failure('bad_json', `The server sent a line that is no frame: ${line.slice(0, 80)}`)
  }
  return typeof frame.type === 'string' && known.has(frame.type) ? (frame as ServerFrame) : undefined // see above
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new Failure('bad_json', `The server sent a line that is no JSON: ${line.slice(0, 80)}`, { cause })
  }
}

// What a client hears of a session, in the order in which it happened.

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
