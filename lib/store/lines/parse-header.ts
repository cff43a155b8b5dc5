// Reads and creates line 1 of a log.
// Guarantees: the version is checked before any field that another version may have changed.
import type { SessionHeader } from '../../streams/log/log-line.ts'
import { logVersion } from '../../streams/log/log-line.ts'
import { checkHeader } from '../../streams/validation/validators.ts'
import { lineIsSealed, sealLine } from './line-checksum.ts'
import { tryParseJson } from './parse-line.ts'
import { openBody } from '../../streams/log/line-event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { NewHeader } from '../../streams/ports/session-log.ts'

export type ParsedHeader =
  | { readonly ok: true; readonly header: SessionHeader; readonly line: string }
  | { readonly ok: false; readonly fault: 'damaged'; readonly problem: string }
  | { readonly ok: false; readonly fault: 'version'; readonly version: number }

/** @param line the bytes of line 1 without line feed; not stored */
export function parseHeader(line: Buffer): ParsedHeader {
  const text = line.toString()
  const value = tryParseJson(text)
  const version = versionOf(value)
  if (version !== undefined && version !== logVersion) return { ok: false, fault: 'version', version }
  if (!lineIsSealed(line)) return headerProblem('its checksum is missing or wrong')
  const checked = checkHeader(value)
  return checked.ok ? { ok: true, header: checked.value, line: text } : headerProblem(checked.problem)
}

function versionOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!('type' in value) || value.type !== 'session' || !('v' in value)) return undefined
  return typeof value.v === 'number' ? value.v : undefined
}

function headerProblem(problem: string): ParsedHeader {
  return { ok: false, fault: 'damaged', problem }
}

// A new header passes the same check that reads it, so that every created session can be opened.

/** Line 1 of a new log, as text and as parsed. @throws Failure `bad_request` naming the field */
export function newHeader(fields: NewHeader): { readonly header: SessionHeader; readonly headerLine: string } {
  const { id, createdAt, cwd, title, parent, opId, opBody } = fields
  const header = { type: 'session', v: logVersion, id, createdAt, cwd, title, parent, opId, opBody }
  const headerLine = sealLine(openBody(header))
  const parsed = parseHeader(Buffer.from(headerLine))
  if (parsed.ok) return { header: parsed.header, headerLine }
  const problem = parsed.fault === 'damaged' ? parsed.problem : 'its version is not supported'
  throw new Failure('bad_request', `The session could not be created: in its header, ${problem}`)
}
