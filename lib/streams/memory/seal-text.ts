// Adds the checksum of a log line to its text, and checks it, without Node.
const opening = ',"crc":"'
const sealLength = `${opening}01234567"}`.length

const encoder = new TextEncoder()

/** The whole line, without line feed, from a body that lacks only its closing brace. */
export function sealText(body: string): string {
  return `${body}${opening}${crc32(encoder.encode(body)).toString(16).padStart(8, '0')}"}`
}

/** True if the line (without line feed) ends in its own, correct checksum. */
export function textIsSealed(line: string): boolean {
  return line.length > sealLength + 1 && sealText(line.slice(0, -sealLength)) === line
}

/** The remainder of each byte, for the polynomial of zlib's CRC-32. */
const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  return sum
})

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (let at = 0; at < bytes.length; at++) sum = (remainders[(sum ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (sum >>> 8)
  return (sum ^ 0xffffffff) >>> 0
}
