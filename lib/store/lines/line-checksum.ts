// Computes, appends and checks the CRC-32 that ends each line of a log.
import { crc32 } from 'node:zlib'

const opening = Buffer.from(',"crc":"')
const closing = Buffer.from('"}')
const digits = 8

/** True if the line (bytes without line feed) ends in its own, correct checksum. */
export function lineIsSealed(line: Buffer): boolean {
  const end = line.length - sealLength
  if (end < 2 || !hasAt(line, opening, end) || !hasAt(line, closing, line.length - closing.length)) return false
  return crc32(line.subarray(0, end)) === parseHex(line, end + opening.length)
}

/** The value of 8 lower-case hex digits; NaN if they are not. Avoids creating a string for each line's checksum. */
function parseHex(line: Buffer, from: number): number {
  let sum = 0
  for (let index = from; index < from + digits; index++) sum = sum * 16 + hexDigit(line[index] ?? 0)
  return sum
}

function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  return byte >= 97 && byte <= 102 ? byte - 87 : NaN
}

/**
 * CRC-32 (as in zlib) as 8 hex digits. It covers the UTF-8 bytes of the line from `{` up to, not including, `,"crc"`.
 */
export function lineCrc(body: string | Uint8Array): string {
  return crc32(body).toString(16).padStart(8, '0')
}

/**
 * UTF-16 units, and bytes, that sealing adds: `,"crc":"` + 8 digits + `"}`. `crc` is the last field of a line, so that
 * it can be checked without parsing the JSON.
 */
export const sealLength = 18

/** The whole line, without line feed, from a body that lacks only its closing brace. */
export function sealLine(body: string): string {
  return `${body},"crc":"${lineCrc(body)}"}`
}

/**
 * True if `wanted` occurs in `bytes` at `offset`. Compares in place: slicing a few bytes first costs more than the
 * comparison.
 */
export function hasAt(bytes: Uint8Array, wanted: Uint8Array, offset: number): boolean {
  if (offset < 0 || offset + wanted.length > bytes.length) return false
  for (let index = 0; index < wanted.length; index++) if (bytes[offset + index] !== wanted[index]) return false
  return true
}

// Encodes a line once, for its checksum and for the file. All lines share one buffer, because each is written at once.

interface SealedBytes {
  /** The whole line without its line feed. */
  readonly line: string
  /** The same as UTF-8, with line feed. Valid until the next line is sealed. */
  readonly bytes: Buffer
}

const shared = Buffer.allocUnsafeSlow(128 * 1024)
const maxBytesPerUnit = 3

/** Like `sealLine`, with the bytes, in less than half the time for long lines. */
export function sealBytes(body: string): SealedBytes {
  const buffer = ensureBuffer(body)
  const length = buffer.write(body)
  const seal = `,"crc":"${lineCrc(buffer.subarray(0, length))}"}`
  const end = length + buffer.write(`${seal}\n`, length, 'latin1')
  return { line: body + seal, bytes: buffer.subarray(0, end) }
}

function ensureBuffer(body: string): Buffer {
  const room = sealLength + 1
  if (body.length * maxBytesPerUnit + room <= shared.length) return shared
  return Buffer.allocUnsafe(Buffer.byteLength(body) + room)
}
