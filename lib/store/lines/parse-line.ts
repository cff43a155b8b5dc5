// Checks a log line: checksum, then JSON, then schema.
// Returns the record or the fault; never throws.
import { isUtf8 } from 'node:buffer'
import { checkLineText, wrongChecksum } from '../../streams/validation/check-line.ts'
import type { ParsedLine } from '../../streams/validation/check-line.ts'
import { lineIsSealed } from './line-checksum.ts'

export type { LineFault, ParsedLine } from '../../streams/validation/check-line.ts'

/**
 * Parses a numbered or checkpoint line; only a numbered line's record has `seq` and `line`.
 *
 * An event of an unknown type stays unchanged: a newer minor version wrote it, and folds skip it.
 * @param line its bytes without line feed; not stored
 */
export function parseLine(line: Buffer): ParsedLine {
  if (!lineIsSealed(line)) return wrongChecksum
  if (!isUtf8(line)) return { ok: false, fault: 'bad_json', problem: 'it is not UTF-8' }
  return checkLineText(line.toString())
}

/** The parsed text or UTF-8 bytes; undefined if it is not JSON, or too long for a string: the caller reports that. */
export function tryParseJson(text: string | Buffer): unknown {
  try {
    return JSON.parse(text.toString())
  } catch {
    return undefined // the caller reports it
  }
}
