// Bytes are taken for text only when they are: UTF-8 without NUL.
import { wrong } from './command-options.ts'

/** Bytes of a file or of standard input. */
export const inputLimit = 16 * 1024 * 1024

/** @throws Failure `bad_request` that names the source */
export function decodeText(bytes: Uint8Array, source: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // told below, with what NUL is told with
  }
  throw wrong(`${source} is not UTF-8 text`)
}
