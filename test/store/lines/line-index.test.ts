// Tests the index from line numbers to byte offsets.
import { describe, expect, it } from 'vitest'
import { createLineIndex } from '../../../lib/store/lines/line-index.ts'

describe('lineIndex', () => {
  const index = createLineIndex()
  const step = 40_000
  for (let seq = 1; seq <= 100; seq += 1) index.add({ seq, offset: seq * step, line: seq + 1 })

  it('is empty at first', () => expect(createLineIndex().atMost(5)).toBeUndefined())
  it('has nothing before the first line', () => expect(index.atMost(0)).toBeUndefined())

  it('finds a line at or before the wanted one, at most 64 KiB before it', () => {
    for (let seq = 1; seq <= 100; seq += 1) {
      const found = index.atMost(seq)
      expect(found?.seq).toBeLessThanOrEqual(seq)
      expect(seq * step - (found?.offset ?? 0)).toBeLessThanOrEqual(64 * 1024)
      expect(found?.line).toBe((found?.seq ?? 0) + 1)
    }
  })
})
