// Decodes input bytes as text; rejects bytes that are not UTF-8 or contain NUL.
import { badRequest } from '../command-options.ts'

/** Limit of a file or of standard input, in bytes. */
export const inputLimit = 16 * 1024 * 1024

/** @throws Failure `bad_request`; the message names the source */
export function decodeText(bytes: Uint8Array, source: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // reported below, like NUL
  }
  throw badRequest(`${source} is not UTF-8 text`)
}
