// Tests the frames of messages against the parser of the package `ws`.
import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import * as ws from 'ws'
import { messageFrames } from '../../../lib/server/gateway/message-frames.ts'
import { Outbox } from '../../../lib/server/protocol/line-writer.ts'

/** The types of the package leave it out. */
interface ReceiverClass {
  new (options: { readonly isServer: boolean }): {
    on(name: 'message', listener: (data: Buffer, isBinary: boolean) => void): void
    on(name: 'error', listener: (error: Error) => void): void
    write(bytes: Buffer): void
  }
}
const { Receiver } = ws as unknown as { readonly Receiver: ReceiverClass }

/** The messages in these bytes, as a client of `ws` reads them. */
function messagesIn(pieces: readonly (string | Uint8Array)[]): string[] {
  const messages: string[] = []
  const receiver = new Receiver({ isServer: false })
  receiver.on('message', (data, isBinary) => messages.push(isBinary ? 'binary' : data.toString()))
  receiver.on('error', ({ message }) => messages.push(message))
  for (const piece of pieces) receiver.write(Buffer.from(piece))
  return messages
}

const lengths = [0, 1, 125, 126, 127, 65_535, 65_536, 70_000]

describe('messageFrames', () => {
  it.each(lengths)('makes a message of each line of %i characters', (length) => {
    const lines = ['{"a":1}', 'x'.repeat(length), 'ä€😀']
    const total = lines.reduce((sum, line) => sum + line.length + 1, 0)
    expect(messagesIn([messageFrames.join(lines, total)])).toEqual(lines)
  })

  it('makes fragments of what an outbox cuts, between characters', () => {
    const lines = ['a', '😀'.repeat(300), '', 'ä'.repeat(40), 'end']
    for (const size of [2, 3, 7, 64, 1_000]) {
      const box = new Outbox(size)
      for (const line of lines) box.add(line)
      const encode = messageFrames.createEncoder()
      const pieces: (string | Uint8Array)[] = []
      while (box.length > 0) pieces.push(encode(box.take()))
      expect(messagesIn(pieces)).toEqual(lines)
    }
  })

  it('lets the frames of others stand between two pieces', () => {
    const encode = messageFrames.createEncoder()
    const ping = Uint8Array.of(0x89, 0)
    expect(messagesIn([encode('{"a":'), ping, encode('1'), ping, encode('}\n{}\n')])).toEqual(['{"a":1}', '{}'])
  })

  it('frames the lines of a tick once for all writers', () => {
    const lines = ['{"a":1}', '{"b":2}']
    expect(messageFrames.join(lines, 16)).toBe(messageFrames.join([...lines], 16))
  })
})
