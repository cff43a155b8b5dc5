// Tests `Outbox`: it joins short lines, cuts long ones, and releases sent lines.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Outbox } from '../../../lib/server/protocol/line-writer.ts'
import { binaryText } from '../../support/binary-text.ts'

function taken(box: Outbox): string {
  return Buffer.from(box.take()).toString()
}

function emptied(box: Outbox): string[] {
  const pieces: string[] = []
  for (let piece = taken(box); piece !== ''; piece = taken(box)) pieces.push(piece)
  return pieces
}

describe('Outbox', () => {
  it('joins many short lines into one piece', () => {
    const box = new Outbox(100)
    for (const line of ['a', 'b', 'c']) box.add(line)
    expect([box.length, emptied(box), box.length]).toEqual([6, ['a\nb\nc\n'], 0])
  })

  it('returns an empty piece if no line waits', () => {
    const box = new Outbox(100)
    expect(taken(box)).toBe('')
    box.add('a')
    box.clear()
    expect([box.length, taken(box)]).toEqual([0, ''])
  })

  it('holds no line that was taken, even while others wait', () => {
    setFlagsFromString('--expose-gc')
    const gc = runInNewContext('gc') as () => void
    const box = new Outbox(65_536)
    const held = (): number => {
      gc()
      return process.memoryUsage().heapUsed
    }
    const before = held()
    box.add('x'.repeat(100_000))
    for (let number = 0; number < 40; number += 1) {
      box.add(Buffer.alloc(1_000_000, 97 + (number % 26)).toString('latin1'))
      for (let piece = 0; piece < 15; piece += 1) box.take() // takes a little less than the line
    }
    expect(box.length).toBeGreaterThan(0)
    expect(held() - before).toBeLessThan(15_000_000)
  })

  it('cuts every line between characters, into pieces within the size', () => {
    const line = binaryText({ maxLength: 12 }).map((text) => text.replaceAll('\n', ''))
    const steps = fc.array(fc.oneof(line, fc.constant(undefined)), { maxLength: 40 })
    fc.assert(
      fc.property(steps, fc.integer({ min: 2, max: 9 }), (options, size) => {
        const box = new Outbox(size)
        const pieces: string[] = []
        for (const step of options) {
          if (step === undefined) pieces.push(taken(box))
          else box.add(step)
        }
        pieces.push(...emptied(box))
        const lines = options.filter((step) => step !== undefined)
        expect(pieces.join('')).toBe(Buffer.from(lines.map((each) => `${each}\n`).join('')).toString())
        expect(Math.max(0, ...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(size)
        expect(box.length).toBe(0)
      }),
    )
  })

  it('gives several outboxes the same bytes for the same lines, and each its own for others', () => {
    const boxes = [['a', 'b'], ['a', 'b'], ['a', 'c'], ['a']].map((lines) => {
      const box = new Outbox(100)
      for (const line of lines) box.add(line)
      return box.take()
    })
    expect(boxes.map((bytes) => Buffer.from(bytes).toString())).toEqual(['a\nb\n', 'a\nb\n', 'a\nc\n', 'a\n'])
    expect(boxes[1]).toBe(boxes[0])
  })

  it('preserves the order of many thousands of lines that are taken one by one', () => {
    const box = new Outbox(2)
    for (let line = 0; line < 10_000; line++) box.add(String(line % 10))
    expect(emptied(box).join('')).toBe('0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n'.repeat(1_000))
  })
})
