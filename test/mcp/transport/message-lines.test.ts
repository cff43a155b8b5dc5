// Tests how output becomes messages: pieces, foreign lines, the limit.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitMessages } from '../../../lib/mcp/transport/message-lines.ts'

function split(pieces: readonly string[], limit?: number) {
  const found = { messages: [] as unknown[], foreign: [] as string[], tooLong: 0 }
  const splitter = splitMessages(
    {
      onMessage: (message) => found.messages.push(message),
      onForeignLine: ({ preview, reason }) => found.foreign.push(`${preview}: ${reason}`),
      onTooLong: () => (found.tooLong += 1),
    },
    limit,
  )
  for (const piece of pieces) splitter.push(piece)
  return found
}

const message = (id: number, text = '') => ({ jsonrpc: '2.0', id, result: { text } })

describe('splitMessages', () => {
  it('finds the same messages in any pieces', () => {
    const messages = [message(1, 'ä\u2028😀'), message(2), message(3, 'x'.repeat(100))]
    const text = messages.map((each) => `${JSON.stringify(each)}\n`).join('')
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 20 }), (cuts) => {
        const ends = [...cuts.sort((a, b) => a - b), text.length]
        const pieces = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
        expect(split(pieces)).toEqual({ messages, foreign: [], tooLong: 0 })
      }),
    )
  })

  it('passes over empty lines and carriage returns', () => {
    expect(split([`\r\n\n${JSON.stringify(message(1))}\r\n`]).messages).toEqual([message(1)])
  })

  it.each([
    ['Server started', 'Server started: it is not JSON (line 1, column 1: a value is expected)'],
    ['{"a": 1}', '{"a": 1}: it is no JSON-RPC message'],
    ['[]', '[]: it is no JSON-RPC message'],
    ['null', 'null: it is no JSON-RPC message'],
    [`"${'x'.repeat(200)}`, expect.stringMatching(/^"x+…: it is not JSON/)],
  ])('reports the line %j and goes on', (line, report) => {
    expect(split([`${line}\n${JSON.stringify(message(1))}\n`])).toEqual({
      messages: [message(1)],
      foreign: [report],
      tooLong: 0,
    })
  })

  it('stops at a line over the limit, also if it comes in pieces', () => {
    const line = JSON.stringify(message(1))
    expect(split([`${line}\n`], line.length).messages).toEqual([message(1)])
    const over = split([line.slice(0, 9), line.slice(9), `\n${line}\n`], line.length - 1)
    expect(over).toEqual({ messages: [], foreign: [], tooLong: 1 })
  })
})
