// What a server sends, one frame a line: a durable event keeps the bytes of its log line, so nothing is serialised twice.
import type { MessageDelta, PieceDelta } from '../../streams/messages/delta.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { Failure } from '../../streams/values/failure.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'

/** The protocol version that this program speaks. */
export const protocolVersion = 1

/** The first frame of a connection. */
export interface HelloFrame {
  readonly v: 1
  readonly type: 'hello'
  /** `build` tells two of one version apart, where it is known; `epoch` is new at every start of a server. */
  readonly server: {
    readonly name: string
    readonly version: string
    readonly build?: string
    readonly pid: number
    readonly epoch: string
  }
  readonly protocol: { readonly min: number; readonly max: number }
  /** `lineBytes`: of a client's line. `sessionCommands`: unanswered commands a session. */
  readonly limits: Readonly<Record<string, number>>
  /** The commands that this server knows. */
  readonly capabilities: readonly string[]
}

export function helloFrame(hello: Omit<HelloFrame, 'v' | 'type' | 'protocol'>): string {
  const protocol = { min: protocolVersion, max: protocolVersion }
  const { server, limits, capabilities } = hello
  return JSON.stringify({ v: 1, type: 'hello', server, protocol, limits, capabilities } satisfies HelloFrame)
}

export function okFrame(id: string, result: object): string {
  return JSON.stringify({ v: 1, type: 'response', id, ok: true, result })
}

/** `id` is null where the request's could not be read. */
export function errorFrame(id: string | null, { code, message, data }: Failure): string {
  const more = Object.keys(data).length === 0 ? {} : { data }
  return JSON.stringify({ v: 1, type: 'response', id, ok: false, error: { code, message, ...more } })
}

/** How a durable event's frame begins; behind it stands the log line without its first `{`. */
export function durablePrefix(session: string): string {
  return `{"v":1,"type":"event","session":"${session}",`
}

/** A record as its frame: the durable event's line, the compact form of a piece of text, or any other transient event. */
export function recordFrame(session: string, channel: number, { event, line }: SessionRecord): string {
  if (line !== undefined) return durablePrefix(session) + line.slice(1)
  const piece = pieceOf(event)
  return piece === undefined ? transientFrame(session, event) : pieceFrame(channel, piece.entryId, piece.delta)
}

/** A transient event: seen live only. */
export function transientFrame(session: string, event: AgentEvent): string {
  return `${durablePrefix(session)}"event":${JSON.stringify(event)}}`
}

/** A piece of text, thinking or arguments; the block's start told its kind. */
export function pieceFrame(channel: number, entryId: string, { contentIndex, offset, text }: PieceDelta): string {
  const head = `{"type":"delta","channel":${channel},"entryId":"${entryId}","block":${contentIndex}`
  return `${head},"offset":${offset},"text":${JSON.stringify(text)}}`
}

/** The log has been read up to `seq`; what follows is live. */
export function caughtUpFrame(session: string, seq: number): string {
  return `{"v":1,"type":"caught_up","session":"${session}","seq":${seq}}`
}

/** The client takes too little: what follows `seq`, and what is open, is sent when it has taken what it was sent. */
export function laggingFrame(session: string, seq: number): string {
  return `{"v":1,"type":"lagging","session":"${session}","seq":${seq}}`
}

/** To the one connection that offers the tool; it answers with `channel_result`. */
export function channelCallFrame(callId: string, call: { session: string; name: string; args: object }): string {
  const { session, name, args } = call
  return JSON.stringify({ v: 1, type: 'channel_call', session, callId, name, args })
}

/** Nobody waits for the call's result any more. */
export function channelCancelFrame(session: string, callId: string): string {
  return JSON.stringify({ v: 1, type: 'channel_cancel', session, callId })
}

function pieceOf(event: AgentEvent): { readonly entryId: string; readonly delta: PieceDelta } | undefined {
  if (event.type !== 'message_update') return undefined
  return isPiece(event.delta) ? { entryId: event.entryId, delta: event.delta } : undefined
}

function isPiece(delta: MessageDelta): delta is PieceDelta {
  return 'offset' in delta
}
