// Tests that adjacent pieces of a block are joined into one.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PieceDelta } from '../../../lib/streams/messages/delta.ts'
import { foldMessage, createPieceJoiner } from '../../../lib/streams/messages/fold-message.ts'
import { assistant } from '../events/samples.ts'

const text = (contentIndex: number, offset: number, piece: string): PieceDelta => ({
  type: 'text_delta',
  contentIndex,
  offset,
  text: piece,
})

describe('createPieceJoiner', () => {
  it('returns one piece a block, with the offset of the first one', () => {
    const joiner = createPieceJoiner()
    for (const piece of [text(0, 5, 'ab'), text(1, 0, 'x'), text(0, 7, 'cd')]) joiner.add(piece)
    expect(joiner.length).toBe(5)
    expect(joiner.take()).toEqual([text(0, 5, 'abcd'), text(1, 0, 'x')])
  })

  it('is empty after its pieces were taken', () => {
    const joiner = createPieceJoiner()
    joiner.add(text(0, 0, 'ab'))
    joiner.take()
    expect([joiner.length, joiner.take()]).toEqual([0, []])
    joiner.add(text(0, 2, 'c'))
    expect(joiner.take()).toEqual([text(0, 2, 'c')])
  })

  it('keeps the fields that only the first piece of a call has', () => {
    const joiner = createPieceJoiner()
    const first: PieceDelta = { type: 'toolcall_delta', contentIndex: 0, offset: 0, text: '{', id: 'c', name: 'read' }
    joiner.add(first)
    joiner.add({ type: 'toolcall_delta', contentIndex: 0, offset: 1, text: '}' })
    expect(joiner.take()).toEqual([{ ...first, text: '{}' }])
  })

  it('joins more pieces than its batch size', () => {
    const joiner = createPieceJoiner()
    const count = 5_000
    for (let index = 0; index < count; index++) joiner.add(text(0, index, String(index % 10)))
    expect(joiner.take()).toEqual([text(0, 0, '0123456789'.repeat(count / 10))])
  })

  it('folds to the same message as the original pieces, for any split', () => {
    const spec = fc.array(fc.record({ block: fc.nat(2), text: fc.string({ maxLength: 4 }), take: fc.boolean() }))
    fc.assert(
      fc.property(spec, (pieces) => {
        const joiner = createPieceJoiner()
        const lengths = [0, 0, 0]
        const start = assistant([0, 1, 2].map(() => ({ type: 'text', text: '' }) as const))
        let [one, joined] = [start, start]
        for (const piece of pieces) {
          const delta = text(piece.block, lengths[piece.block] ?? 0, piece.text)
          lengths[piece.block] = delta.offset + piece.text.length
          one = foldMessage(one, delta)
          joiner.add(delta)
          if (piece.take) joined = joiner.take().reduce(foldMessage, joined)
        }
        expect(joiner.take().reduce(foldMessage, joined)).toEqual(one)
      }),
    )
  })
})
