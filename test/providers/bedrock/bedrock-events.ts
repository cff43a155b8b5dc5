// Builds frames of Bedrock's ConverseStream by the published format, without the codec that reads them.
import { crc32 } from 'node:zlib'
import type { AnswerPart } from '../../contract/provider-contract.ts'

export const mediaType = 'application/vnd.amazon.eventstream'

/** A frame: its length, that of the headers, their checksum, the headers, the payload, and the checksum of all. */
export function frameOf(headers: Readonly<Record<string, string>>, body: string | Uint8Array): Uint8Array {
  const fields = Buffer.concat(Object.entries(headers).map(([name, value]) => headerOf(name, value)))
  const payload = Buffer.from(body)
  const frame = Buffer.alloc(16 + fields.length + payload.length)
  frame.writeUInt32BE(frame.length, 0)
  frame.writeUInt32BE(fields.length, 4)
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
  fields.copy(frame, 12)
  payload.copy(frame, 12 + fields.length)
  frame.writeUInt32BE(crc32(frame.subarray(0, -4)), frame.length - 4)
  return frame
}

/** The type 7 is a text of a length in two bytes. */
function headerOf(name: string, value: string): Uint8Array {
  const text = Buffer.from(value)
  return Buffer.concat([
    Buffer.from([Buffer.byteLength(name)]),
    Buffer.from(name),
    Buffer.from([7, text.length >> 8, text.length & 255]),
    text,
  ])
}

export function event(type: string, value: object | string): Uint8Array {
  const headers = { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' }
  return frameOf(headers, typeof value === 'string' ? value : JSON.stringify(value))
}

export function exception(type: string, message: string): Uint8Array {
  const headers = { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' }
  return frameOf(headers, JSON.stringify({ message }))
}

export const messageStart = event('messageStart', { role: 'assistant', p: 'abcd' })

export function delta(index: number, piece: object): Uint8Array {
  return event('contentBlockDelta', { contentBlockIndex: index, delta: piece, p: 'abc' })
}

export function blockStop(index: number): Uint8Array {
  return event('contentBlockStop', { contentBlockIndex: index, p: 'a' })
}

export function textBlock(index: number, ...pieces: readonly string[]): Uint8Array[] {
  return [...pieces.map((text) => delta(index, { text })), blockStop(index)]
}

export function thinkingBlock(index: number, text: string, signature?: string): Uint8Array[] {
  const signed = signature === undefined ? [] : [delta(index, { reasoningContent: { signature } })]
  return [delta(index, { reasoningContent: { text } }), ...signed, blockStop(index)]
}

export function callStart(index: number, toolUseId: string, name: string): Uint8Array {
  return event('contentBlockStart', { contentBlockIndex: index, start: { toolUse: { toolUseId, name } } })
}

export function callBlock(index: number, id: string, name: string, ...pieces: readonly string[]): Uint8Array[] {
  const inputs = pieces.map((input) => delta(index, { toolUse: { input } }))
  return [callStart(index, id, name), ...inputs, blockStop(index)]
}

export function messageStop(stopReason = 'end_turn'): Uint8Array {
  return event('messageStop', { stopReason, p: 'abcdef' })
}

export const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 }

export function metadata(reported: object = usage): Uint8Array {
  return event('metadata', { usage: reported, metrics: { latencyMs: 12 } })
}

/** The regular end of an answer. */
export function ending(stopReason?: string): Uint8Array {
  return Buffer.concat([messageStop(stopReason), metadata()])
}

/** The frames of an answer's parts, without its end. */
export function bedrockFramesOf(output: readonly AnswerPart[]): Uint8Array[] {
  // neighbours of one kind are one block: a block begins with its first piece
  const indexOf = (at: number): number => {
    const kinds = output.slice(0, at + 1).map((part) => Object.keys(part)[0])
    return kinds.filter((kind, n) => kind === 'call' || kind !== kinds[n - 1]).length
  }
  const frames = output.flatMap((part, at) => {
    const index = indexOf(at)
    if ('thinking' in part) return [delta(index, { reasoningContent: { text: part.thinking } })]
    if ('text' in part) return [delta(index, { text: part.text })]
    if ('noise' in part) return [event(part.noise === 'keepAlive' ? 'ping' : 'vendorNews', { a: [1] })]
    return callBlock(index, part.call, part.name, ...part.pieces)
  })
  return [messageStart, ...frames]
}
