// Checks a log line: checksum, then JSON, then schema.
// Returns the record or the fault; never throws.
import { isUtf8 } from 'node:buffer'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import { checkCheckpoint, checkEvent, checkLogLine, knowsEvent } from '../../streams/validation/validators.ts'
import { lineIsSealed } from './line-checksum.ts'

/** Why a line is rejected. */
export type LineFault = 'wrong_crc' | 'bad_json' | 'bad_schema'

export type ParsedLine =
  | { readonly ok: true; readonly record: SessionRecord }
  /** `problem` in words, as in `its checksum is wrong`. */
  | { readonly ok: false; readonly fault: LineFault; readonly problem: string }

/**
 * Parses a numbered or checkpoint line; only a numbered line's record has `seq` and `line`.
 *
 * An event of an unknown type stays unchanged: a newer minor version wrote it, and folds skip it.
 * @param line its bytes without line feed; not stored
 */
export function parseLine(line: Buffer): ParsedLine {
  if (!lineIsSealed(line)) return { ok: false, fault: 'wrong_crc', problem: 'its checksum is missing or wrong' }
  if (!isUtf8(line)) return { ok: false, fault: 'bad_json', problem: 'it is not UTF-8' }
  const text = line.toString()
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

// The caller reports text that is not JSON.

/** The parsed text or UTF-8 bytes; undefined if it is not JSON, or too long for a string. */
export function tryParseJson(text: string | Buffer): unknown {
  try {
    return JSON.parse(text.toString())
  } catch {
    return undefined // the caller reports it
  }
}
