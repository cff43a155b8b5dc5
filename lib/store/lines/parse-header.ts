// Reads and creates line 1 of a log.
// Guarantees: the version is checked before any field that another version may have changed.
import type { SessionHeader } from '../../streams/log/log-line.ts'
import type { NewHeader } from '../../streams/ports/session-log.ts'
import { checkHeaderText, headerOf } from '../../streams/validation/check-line.ts'
import type { ParsedHeader } from '../../streams/validation/check-line.ts'
import { lineIsSealed, sealLine } from './line-checksum.ts'

/** @param line the bytes of line 1 without line feed; not stored */
export function parseHeader(line: Buffer): ParsedHeader {
  return checkHeaderText(line.toString(), () => lineIsSealed(line))
}

/** Line 1 of a new log, as text and as parsed. @throws Failure `bad_request` naming the field */
export function newHeader(fields: NewHeader): { readonly header: SessionHeader; readonly headerLine: string } {
  return headerOf(fields, sealLine)
}
