// Tests the checksum of a line.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineCrc, lineIsSealed, sealLength, sealLine } from '../../../lib/store/lines/line-checksum.ts'
import { binaryText } from '../../support/binary-text.ts'

describe('lineCrc', () => {
  // The check value of CRC-32 (RFC 3720, zlib), and values of Python's zlib.crc32 for the UTF-8 bytes.
  it.each([
    ['', '00000000'],
    ['123456789', 'cbf43926'],
    ['The quick brown fox jumps over the lazy dog', '414fa339'],
    ['ü€😀', 'b083f2e9'],
    ['{"seq":1,"at":0,"event":{"type":"custom","data":"naïve 漢字"}', '4eba2912'],
    ['62', '0012d20a'],
  ])('of %j is %s, as text and as bytes [LOG-crc]', (text, crc) => {
    expect([lineCrc(text), lineCrc(Buffer.from(text))]).toEqual([crc, crc])
  })
})

describe('sealLine', () => {
  it('appends the checksum and closes the object [LOG-crc]', () => {
    expect(sealLine('{"a":"123456789"')).toBe(`{"a":"123456789","crc":"${lineCrc('{"a":"123456789"')}"}`)
  })

  it('makes a sealed line, and a change of any byte breaks the seal', () => {
    fc.assert(
      fc.property(binaryText(), fc.nat(), fc.integer({ min: 1, max: 255 }), (text, offset, change) => {
        const line = Buffer.from(sealLine(`{"text":${JSON.stringify(text)}`))
        expect(lineIsSealed(line)).toBe(true)
        const position = offset % line.length
        line[position] = (line[position] ?? 0) ^ change
        expect(lineIsSealed(line)).toBe(false)
      }),
    )
  })

  it.each(['', '{', '"}', '"crc":"00000000"}', ',"crc":"00000000"}'])('finds no seal in %j', (line) => {
    expect(lineIsSealed(Buffer.from(line))).toBe(false)
  })

  it('reports the length of its addition', () => expect(sealLine('{').length).toBe(1 + sealLength))
})
