// `crc` comes last in a line, so that it can be checked over the bytes before it without reading the JSON.
import { lineCrc } from './line-crc.ts'

/** UTF-16 units, and bytes, that sealing adds: `,"crc":"` + 8 digits + `"}`. */
export const sealLength = 18

/** The whole line, without its line feed, of a body that lacks only its closing brace. */
export function sealLine(body: string): string {
  return `${body},"crc":"${lineCrc(body)}"}`
}
