// Makes the frames that a server sends, one a line.
// A durable event reuses the bytes of its log line.
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
  /** `build` distinguishes builds of one version, if known; `epoch` is new at every start of a server. */
  readonly server: {
    readonly name: string
    readonly version: string
    readonly build?: string
    readonly pid: number
    readonly epoch: string
  }
  readonly protocol: { readonly min: number; readonly max: number }
  /** `lineBytes`: the longest line of a client. `sessionCommands`: unanswered commands of a session. */
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

/** `id` is null if the request's could not be read. */
export function errorFrame(id: string | null, { code, message, data }: Failure): string {
  const more = Object.keys(data).length === 0 ? {} : { data }
  return JSON.stringify({ v: 1, type: 'response', id, ok: false, error: { code, message, ...more } })
}

/** The start of a durable event's frame; the log line without its first `{` follows it. */
export function durablePrefix(session: string): string {
  return `{"v":1,"type":"event","session":"${session}",`
}

/** Makes the frame of a record: a log line, a compact delta, or any other transient event. */
export function recordFrame(session: string, channel: number, { event, line }: SessionRecord): string {
  if (line !== undefined) return durablePrefix(session) + line.slice(1)
  const piece = pieceOf(event)
  return piece === undefined ? transientFrame(session, event) : pieceFrame(channel, piece.entryId, piece.delta)
}

/** The frame of a transient event, which only live clients get. */
export function transientFrame(session: string, event: AgentEvent): string {
  return `${durablePrefix(session)}"event":${JSON.stringify(event)}}`
}

/** The compact frame of a piece of text, thinking or arguments; the block's start has its kind. */
export function pieceFrame(channel: number, entryId: string, { contentIndex, offset, text }: PieceDelta): string {
  const head = `{"type":"delta","channel":${channel},"entryId":"${entryId}","block":${contentIndex}`
  return `${head},"offset":${offset},"text":${JSON.stringify(text)}}`
}

/** Marks that the log was sent up to `seq`; live events follow. */
export function caughtUpFrame(session: string, seq: number): string {
  return `{"v":1,"type":"caught_up","session":"${session}","seq":${seq}}`
}

/** Marks that the client takes too little: the log after `seq` and the open message follow when it has caught up. */
export function laggingFrame(session: string, seq: number): string {
  return `{"v":1,"type":"lagging","session":"${session}","seq":${seq}}`
}

/** Sent to the one connection that offers the tool; it answers with `channel_result`. */
export function channelCallFrame(
  callId: string,
  call: { session: string; toolCallId?: string | undefined; name: string; args: object },
): string {
  const { session, toolCallId, name, args } = call
  return JSON.stringify({ v: 1, type: 'channel_call', session, callId, toolCallId, name, args })
}

/** Sent when the result of the call is not needed any more. */
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
