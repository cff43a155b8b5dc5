// Tests the fold of deltas into a message.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BlockDelta, MessageDelta, PieceDelta } from '../../../lib/streams/messages/delta.ts'
import { foldMessage } from '../../../lib/streams/messages/fold-message.ts'
import type { AssistantContent, AssistantMessage } from '../../../lib/streams/messages/message.ts'
import { assistant } from '../events/samples.ts'
import { binaryText } from '../../support/binary-text.ts'

function foldContent(...deltas: (BlockDelta | MessageDelta)[]): readonly AssistantContent[] {
  return deltas.reduce(foldMessage, assistant()).content
}

function text(offset: number, piece: string, contentIndex = 0): PieceDelta {
  return { type: 'text_delta', contentIndex, offset, text: piece }
}

const textStart: MessageDelta = { type: 'text_start', contentIndex: 0 }

describe('foldMessage', () => {
  it('opens, fills and closes blocks of each kind', () => {
    const content = foldContent(
      { type: 'thinking_start', contentIndex: 0, redacted: true },
      { type: 'thinking_delta', contentIndex: 0, text: 'hm' },
      { type: 'thinking_end', contentIndex: 0, signature: 't' },
      { type: 'text_start', contentIndex: 1 },
      { type: 'text_delta', contentIndex: 1, text: 'so' },
      { type: 'text_end', contentIndex: 1, signature: 'x' },
      { type: 'toolcall_start', contentIndex: 2, id: 'c', name: 'read' },
      { type: 'toolcall_delta', contentIndex: 2, text: '{"path":"a"}' },
      { type: 'toolcall_end', contentIndex: 2, arguments: { path: 'a' }, signature: 'g' },
    )
    expect(content).toStrictEqual([
      { type: 'thinking', thinking: 'hm', redacted: true, thinkingSignature: 't' },
      { type: 'text', text: 'so', textSignature: 'x' },
      { type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'a' }, thoughtSignature: 'g' },
    ])
  })

  it('hides only thinking that is marked as hidden', () => {
    expect(foldContent({ type: 'thinking_start', contentIndex: 0 })).toStrictEqual([{ type: 'thinking', thinking: '' }])
  })

  it('stores the text of a call while it streams, and if it is not JSON', () => {
    const start: MessageDelta = { type: 'toolcall_start', contentIndex: 0, id: 'c', name: 'read' }
    const piece: BlockDelta = { type: 'toolcall_delta', contentIndex: 0, text: '{"pa' }
    expect(foldContent(start, piece)).toMatchObject([{ arguments: {}, argumentsText: '{"pa' }])
    expect(foldContent(start, piece, { ...piece, text: 'th"' })).toMatchObject([{ argumentsText: '{"path"' }])
    const end: MessageDelta = { type: 'toolcall_end', contentIndex: 0, arguments: {}, argumentsText: '{"pa' }
    expect(foldContent(start, piece, end)).toStrictEqual([
      { type: 'toolCall', id: 'c', name: 'read', arguments: {}, argumentsText: '{"pa' },
    ])
  })

  it.each<[string, PieceDelta[], string]>([
    ['the next', [text(0, 'ab'), text(2, 'cd')], 'abcd'],
    ['repeated', [text(0, 'ab'), text(0, 'ab'), text(2, 'cd')], 'abcd'],
    ['partly repeated', [text(0, 'abc'), text(1, 'bcd')], 'abcd'],
    ['wholly inside the existing text', [text(0, 'abcd'), text(1, 'b')], 'abcd'],
    ['behind a gap', [text(0, 'ab'), text(3, 'd')], 'ab'],
    ['empty', [text(0, 'ab'), text(2, '')], 'ab'],
    ['counted in UTF-16 units', [text(0, '😀'), text(2, 'x'), text(1, '\ude00x')], '😀x'],
  ])('applies a piece by its offset: %s [EVENT-offset]', (_, pieces, whole) => {
    expect(foldContent(textStart, ...pieces)).toEqual([{ type: 'text', text: whole }])
  })

  it.each<[string, PieceDelta, AssistantContent]>([
    ['text', text(0, 'ab'), { type: 'text', text: 'ab' }],
    [
      'thinking',
      { type: 'thinking_delta', contentIndex: 0, offset: 0, text: 'ab' },
      { type: 'thinking', thinking: 'ab' },
    ],
    [
      'a call with its name',
      { type: 'toolcall_delta', contentIndex: 0, offset: 0, text: '{', id: 'c', name: 'read' },
      { type: 'toolCall', id: 'c', name: 'read', arguments: {}, argumentsText: '{' },
    ],
  ])('opens a block whose start is missing: %s', (_, piece, block) => {
    expect(foldContent(piece)).toEqual([block])
  })

  it.each<[string, BlockDelta | MessageDelta]>([
    ['a piece of a block that was never opened and has no offset', { type: 'text_delta', contentIndex: 0, text: 'x' }],
    ['a first piece that does not begin the block', text(3, 'x')],
    ['a nameless call', { type: 'toolcall_delta', contentIndex: 0, offset: 0, text: '{' }],
    ['a call without an id', { type: 'toolcall_delta', contentIndex: 0, offset: 0, text: '{', name: 'read' }],
    ['a call with an id alone', { type: 'toolcall_delta', contentIndex: 0, offset: 0, text: '{', id: 'c' }],
    ['a block that leaves one out', { type: 'text_start', contentIndex: 1 }],
    ['a piece of a block further on', text(0, 'x', 2)],
    ['the end of no block', { type: 'text_end', contentIndex: 0, signature: 's' }],
  ])('changes nothing for %s', (_, delta) => {
    const before = assistant()
    expect(foldMessage(before, delta)).toBe(before)
  })

  it.each<[string, BlockDelta | MessageDelta]>([
    ['a second start', textStart],
    ['thinking', { type: 'thinking_delta', contentIndex: 0, text: 'x' }],
    ['a piece of a call', { type: 'toolcall_delta', contentIndex: 0, text: 'x' }],
    ['the end of thinking', { type: 'thinking_end', contentIndex: 0, signature: 's' }],
    ['the end of a call', { type: 'toolcall_end', contentIndex: 0, arguments: { a: 1 } }],
    ['an end without a signature', { type: 'text_end', contentIndex: 0 }],
  ])('leaves a text block as it is for %s', (_, delta) => {
    const before = assistant([{ type: 'text', text: 'ab' }])
    expect(foldMessage(before, delta)).toBe(before)
  })

  it.each<[string, BlockDelta | MessageDelta]>([
    ['text', { type: 'text_delta', contentIndex: 0, text: 'x' }],
    ['the end of a text', { type: 'text_end', contentIndex: 0, signature: 's' }],
    ['an end without a signature', { type: 'thinking_end', contentIndex: 0 }],
  ])('leaves a block of thinking as it is for %s', (_, delta) => {
    const before = assistant([{ type: 'thinking', thinking: 'hm' }])
    expect(foldMessage(before, delta)).toBe(before)
  })

  it('shares unchanged parts and leaves the old message unchanged', () => {
    const before = freeze(
      assistant([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ]),
    )
    const after = foldMessage(before, text(1, '!', 1))
    expect(before.content).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ])
    expect(after.content[0]).toBe(before.content[0])
    expect(after.content[1]).toEqual({ type: 'text', text: 'b!' })
    expect(after.usage).toBe(before.usage)
  })

  it('folds to the same text for any split and any repetition [EVENT-offset]', () => {
    const cuts = fc.array(fc.nat(), { maxLength: 12 })
    const repeats = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 12 })
    fc.assert(
      fc.property(binaryText({ maxLength: 60 }), cuts, repeats, (whole, at, again) => {
        const content = foldContent(textStart, ...withRepeats(piecesOf(whole, at), whole, again))
        expect(content).toEqual([{ type: 'text', text: whole }])
      }),
    )
  })

  it('folds interleaved blocks to the same result as each block alone', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2), fc.string({ maxLength: 5 }))), (pieces) => {
        const starts = [0, 1, 2].map((contentIndex): BlockDelta => ({ type: 'text_start', contentIndex }))
        const deltas = pieces.map(([contentIndex, piece]): BlockDelta => ({
          type: 'text_delta',
          contentIndex,
          text: piece,
        }))
        const alone = [0, 1, 2].map((block) => pieces.flatMap(([index, piece]) => (index === block ? [piece] : [])))
        expect(foldContent(...starts, ...deltas)).toEqual(
          alone.map((parts) => ({ type: 'text', text: parts.join('') })),
        )
      }),
    )
  })
})

function freeze(message: AssistantMessage): AssistantMessage {
  for (const block of message.content) Object.freeze(block)
  Object.freeze(message.content)
  return Object.freeze(message)
}

function piecesOf(whole: string, cuts: readonly number[]): PieceDelta[] {
  const ends = [...cuts.map((cut) => cut % (whole.length + 1)), whole.length].sort((left, right) => left - right)
  return ends.map((end, index) => {
    const start = ends[index - 1] ?? 0
    return text(start, whole.slice(start, end))
  })
}

/** After each piece, repeats some earlier pieces, split differently. */
function withRepeats(pieces: PieceDelta[], whole: string, repeats: readonly (readonly [number, number, number])[]) {
  const sent = [...pieces]
  for (const [where, from, length] of repeats) {
    const index = where % sent.length
    const end = sent.slice(0, index + 1).reduce((most, piece) => Math.max(most, piece.offset + piece.text.length), 0)
    const start = from % (end + 1)
    sent.splice(index + 1, 0, text(start, whole.slice(start, Math.min(end, start + length))))
  }
  return sent
}
