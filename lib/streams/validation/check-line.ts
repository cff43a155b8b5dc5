// Checks the text of a log's lines, whose checksums the caller checks: JSON first, then the schema.
// Guarantees: reading returns the record or the fault, and never throws.
import type { AgentEvent } from '../events/event.ts'
import { logVersion } from '../log/log-line.ts'
import { openBody } from '../log/line-event.ts'
import type { SessionHeader, SessionRecord } from '../log/log-line.ts'
import type { NewHeader } from '../ports/session-log.ts'
import { Failure } from '../values/failure.ts'
import { knowsEvent } from '../events/known-events.ts'
import { checkCheckpoint, checkEvent, checkHeader, checkLogLine } from './validators.ts'

/** Why a line is rejected. */
export type LineFault = 'wrong_crc' | 'bad_json' | 'bad_schema'

export type ParsedLine =
  | { readonly ok: true; readonly record: SessionRecord }
  /** `problem` in words, as in `its checksum is wrong`. */
  | { readonly ok: false; readonly fault: LineFault; readonly problem: string }

export const wrongChecksum: ParsedLine = {
  ok: false,
  fault: 'wrong_crc',
  problem: 'its checksum is missing or wrong',
}

/**
 * The record of a numbered or checkpoint line; only a numbered line's record has `seq` and `line`.
 *
 * An event of an unknown type stays unchanged: a newer minor version wrote it, and folds skip it.
 */
export function checkLineText(text: string): ParsedLine {
  const value = toRecord(text)
  if (value === undefined) return { ok: false, fault: 'bad_json', problem: 'it is not one JSON object' }
  return 'seq' in value ? numberedRecord(value, text) : checkpointRecord(value)
}

function toRecord(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined // the caller reports it as a fault of its own kind
  }
}

function numberedRecord(value: object, line: string): ParsedLine {
  const checked = checkLogLine(value)
  if (!checked.ok) return badSchema(checked.problem)
  const { seq, at, runId, opId, event } = checked.value
  if (knowsEvent(event.type)) {
    const known = checkEvent(event)
    if (!known.ok) return badSchema(`its event ${event.type}: ${known.problem}`)
  }
  const record: SessionRecord = {
    event: event as AgentEvent, // checked above, or of a type that folds skip
    at,
    seq,
    line,
    ...(runId === undefined ? {} : { runId }),
    ...(opId === undefined ? {} : { opId }),
  }
  return { ok: true, record }
}

function checkpointRecord(value: object): ParsedLine {
  const checked = checkCheckpoint(value)
  if (!checked.ok) return badSchema(checked.problem)
  return { ok: true, record: { event: checked.value.event, at: checked.value.at } }
}

function badSchema(problem: string): ParsedLine {
  return { ok: false, fault: 'bad_schema', problem }
}

export type ParsedHeader =
  | { readonly ok: true; readonly header: SessionHeader; readonly line: string }
  | { readonly ok: false; readonly fault: 'damaged'; readonly problem: string }
  | { readonly ok: false; readonly fault: 'version'; readonly version: number }

/** Reads line 1. Guarantees: the version is checked before any field that another version may have changed. */
export function checkHeaderText(text: string, isSealed: () => boolean): ParsedHeader {
  const value = toRecord(text)
  const version = versionOf(value)
  if (version !== undefined && version !== logVersion) return { ok: false, fault: 'version', version }
  if (!isSealed()) return headerProblem('its checksum is missing or wrong')
  const checked = checkHeader(value)
  return checked.ok ? { ok: true, header: checked.value, line: text } : headerProblem(checked.problem)
}

function versionOf(value: object | undefined): number | undefined {
  if (value === undefined || !('type' in value) || value.type !== 'session' || !('v' in value)) return undefined
  return typeof value.v === 'number' ? value.v : undefined
}

function headerProblem(problem: string): ParsedHeader {
  return { ok: false, fault: 'damaged', problem }
}

/** Line 1 of a log, as text and as parsed. */
export interface CreatedHeader {
  readonly header: SessionHeader
  readonly headerLine: string
}

/**
 * Creates line 1 of a log. A new header passes the same check that reads it, so that every created session can be
 * opened.
 * @param seal adds the checksum to a line that lacks only its closing brace
 * @throws Failure `bad_request` naming the field
 */
export function headerOf(fields: NewHeader, seal: (body: string) => string): CreatedHeader {
  const { id, createdAt, cwd, title, parent, opId, opBody, chosen } = fields
  const header = { type: 'session', v: logVersion, id, createdAt, cwd, title, parent, opId, opBody, chosen }
  const headerLine = seal(openBody(header))
  const parsed = checkHeaderText(headerLine, () => true)
  if (parsed.ok) return { header: parsed.header, headerLine }
  const problem = parsed.fault === 'damaged' ? parsed.problem : 'its version is not supported'
  throw new Failure('bad_request', `The session could not be created: in its header, ${problem}`)
}
