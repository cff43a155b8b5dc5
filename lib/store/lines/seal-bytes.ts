// A line is turned into bytes once, for its checksum and for the file; all lines share one buffer, because each is written at once.
import { lineCrc } from './line-crc.ts'
import { sealLength } from './seal-line.ts'

export interface SealedBytes {
  /** The whole line without its line feed. */
  readonly line: string
  /** The same as UTF-8, with its line feed. Valid until the next line is sealed. */
  readonly bytes: Buffer
}

const shared = Buffer.allocUnsafeSlow(128 * 1024)
const mostBytesPerUnit = 3

/** `sealLine` with its bytes, in less than half of the time for long lines. */
export function sealBytes(body: string): SealedBytes {
  const buffer = bufferFor(body)
  const length = buffer.write(body)
  const seal = `,"crc":"${lineCrc(buffer.subarray(0, length))}"}`
  const end = length + buffer.write(`${seal}\n`, length, 'latin1')
  return { line: body + seal, bytes: buffer.subarray(0, end) }
}

function bufferFor(body: string): Buffer {
  const room = sealLength + 1
  if (body.length * mostBytesPerUnit + room <= shared.length) return shared
  return Buffer.allocUnsafe(Buffer.byteLength(body) + room)
}
