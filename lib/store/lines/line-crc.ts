// A line's checksum covers its UTF-8 bytes from `{` up to, not including, `,"crc"`.
import { crc32 } from 'node:zlib'

/** CRC-32 (that of zlib) as 8 hex digits; text counts as its UTF-8 bytes. */
export function lineCrc(body: string | Uint8Array): string {
  return crc32(body).toString(16).padStart(8, '0')
}
