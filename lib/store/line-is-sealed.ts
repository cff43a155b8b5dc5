// A line counts only if it ends in the checksum of all that stands before it.
import { lineCrc } from './line-crc.ts'
import { sealLength } from './seal-line.ts'

/** True where the line (its bytes, without line feed) ends in its own, right checksum. */
export function lineIsSealed(line: Buffer): boolean {
  const end = line.length - sealLength
  if (end < 2) return false
  return line.toString('latin1', end) === `,"crc":"${lineCrc(line.subarray(0, end))}"}`
}
