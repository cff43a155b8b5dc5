// Tests the seal of a line as bytes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sealBytes, sealLine } from '../../../lib/store/lines/line-checksum.ts'
import { binaryText } from '../../support/binary-text.ts'

function expectSealed(body: string): void {
  const { line, bytes } = sealBytes(body)
  // Compared as buffers: printing a long line byte by byte takes longer than the test.
  expect([line === sealLine(body), bytes.equals(Buffer.from(`${line}\n`))]).toEqual([true, true])
}

describe('sealBytes', () => {
  it('returns the line of sealLine and its bytes', () => {
    fc.assert(fc.property(binaryText(), (text) => expectSealed(`{"text":${JSON.stringify(text)}`)))
  })

  it.each([43_683, 43_684, 43_685, 131_071, 131_072, 500_000])(
    'does so for %i UTF-16 units, with any number of bytes each',
    (length) => {
      for (const unit of ['x', 'é', '漢']) expectSealed(unit.repeat(length))
      expectSealed('😀'.repeat(length / 2))
    },
  )
})
