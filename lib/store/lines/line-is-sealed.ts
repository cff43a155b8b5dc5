// A line counts only if it ends in the checksum of all that stands before it.
import { crc32 } from 'node:zlib'
import { hasAt } from './has-at.ts'
import { sealLength } from './seal-line.ts'

const opening = Buffer.from(',"crc":"')
const closing = Buffer.from('"}')
const digits = 8

/** True where the line (its bytes, without line feed) ends in its own, right checksum. */
export function lineIsSealed(line: Buffer): boolean {
  const end = line.length - sealLength
  if (end < 2 || !hasAt(line, opening, end) || !hasAt(line, closing, line.length - closing.length)) return false
  return crc32(line.subarray(0, end)) === hexAt(line, end + opening.length)
}

/** The number that 8 hex digits (lower case) say; NaN where they are none. Making a text of each line's checksum took longer than the checksum. */
function hexAt(line: Buffer, from: number): number {
  let sum = 0
  for (let place = from; place < from + digits; place++) sum = sum * 16 + hexDigit(line[place] ?? 0)
  return sum
}

function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  return byte >= 97 && byte <= 102 ? byte - 87 : NaN
}
