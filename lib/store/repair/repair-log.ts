// Repairs a log into a copy.
// Guarantees: valid lines stay byte for byte, lost ones are named in their place, and the original is not changed.
import { closeSync, fsyncSync, unlinkSync, writeFileSync } from 'node:fs'
import { storageFailure } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { missingContentNote, blobReferenceOf } from '../../streams/log/externalise-content.ts'
import { lineBody, openBody } from '../../streams/log/line-event.ts'
import { mapParts } from '../../streams/events/map-parts.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import type { BlobFolder } from '../blobs/blob-folder.ts'
import { parseLogFileName } from '../lines/log-file-name.ts'
import { createBeside } from '../log/repair-log-end.ts'
import type { FoundBlobs } from '../blobs/find-blobs.ts'
import { inspectLog, withLogToInspect } from './inspect-log.ts'
import type { InspectedLine, LogToInspect } from './inspect-log.ts'
import { queueRepair, entryRepair } from './repair-entries.ts'
import { sealLine } from '../lines/line-checksum.ts'
import { verifyLog } from './verify-log.ts'
import type { LogVerdict } from './verify-log.ts'
import path from 'node:path'
import { randomIds } from '../../streams/values/identifiers.ts'
import type { NewHeader } from '../../streams/ports/session-log.ts'
import { checkHeader } from '../../streams/validation/validators.ts'
import { newHeader } from '../lines/parse-header.ts'
import { sessionFolder } from '../sessions/session-folder.ts'
import { tryParseJson } from '../lines/parse-line.ts'

export interface LogRepair extends LogVerdict {
  /** The repaired copy; absent if the log is clean. */
  readonly repaired?: string
  /** Losses of the copy, in words; the first 1,000. */
  readonly lost: readonly string[]
  /** Changes in the copy, in words; the first 1,000. */
  readonly changed: readonly string[]
}

/**
 * Writes `<name>.repaired.jsonl` beside a damaged log, in steps like `verifyLog`. Valid lines stay byte for byte with
 * their numbers; a lost number gets an `error` event `lost_line`; an entry whose parent is lost moves to the nearest
 * remaining one; a text replaces lost content.
 * @param file absolute
 * @param blobs see `verifyLog`
 * @throws Failure `storage`, `bad_request` if it is not a file, `unsupported_version`
 */
export function* repairLog(file: string, blobs?: BlobFolder): Generator<undefined, LogRepair> {
  const verdict = yield* verifyLog(file, blobs)
  if (verdict.clean) return { ...verdict, lost: [], changed: [] }
  return yield* withLogToInspect({ file, blobs }, function* (log) {
    const { file: name, descriptor } = createBeside((attempt) => copyName(file, attempt))
    let isWhole = false
    try {
      const notes = yield* copyLines(log, (line) => writeFileSync(descriptor, `${line}\n`))
      fsyncSync(descriptor)
      isWhole = true
      return { ...verdict, repaired: name, ...notes }
    } catch (thrown) {
      throw storageFailure(`write ${name}`, thrown)
    } finally {
      closeSync(descriptor)
      if (!isWhole) unlinkSync(name) // also after the subscriber has left
    }
  })
}

function copyName(file: string, attempt: number): string {
  return `${file.replace(/\.jsonl$/, '')}.repaired${attempt === 1 ? '' : `-${attempt}`}.jsonl`
}

type RepairNotes = Pick<LogRepair, 'lost' | 'changed'>

/** Passes each line of the copy to `write`. */
function* copyLines(
  log: LogToInspect & { readonly blobs: FoundBlobs },
  write: (line: string) => void,
): Generator<undefined, RepairNotes> {
  const lost = boundedList()
  const changed = boundedList()
  const entries = entryRepair()
  const queue = queueRepair()
  for (const inspected of inspectLog(log)) {
    yield
    const { line, damage, record } = inspected
    if (line === 1) {
      write(headerLine(log.file, inspected, changed.add))
      continue
    }
    if (damage !== undefined && (record === undefined || damage.kind === 'blob'))
      lost.add(`Line ${line}: ${damage.problem}`)
    else if (damage !== undefined) changed.add(`Line ${line}: ${damage.problem}`)
    if (record === undefined) continue
    const filled = { ...record, event: replaceLostContent(record.event, log.blobs) }
    const lostStart = inspected.missing === 0 ? undefined : queue.lostStart(filled)
    const start = lostStart && entries.mend({ ...record, event: lostStart }).event
    for (const lostLine of lostRecords(inspected, record, start)) write(lostLine)
    if (start !== undefined) {
      queue.mend(start)
      changed.add(
        `Line ${line}: the start of its message, which was a queued input, was lost and was recreated before it`,
      )
    }
    const queued = queue.mend(filled.event)
    const { event, change } = queued.change === undefined ? entries.mend(filled) : queued
    if (change !== undefined) changed.add(`Line ${line}: ${change}`)
    write(event === record.event ? inspected.text.toString() : sealRecord({ ...record, event }))
  }
  return { lost: lost.texts, changed: changed.texts }
}

/** The event with a text in place of lost content. */
function replaceLostContent(event: AgentEvent, blobs: FoundBlobs): AgentEvent {
  return mapParts(event, (part) => {
    const reference = blobReferenceOf(part)
    return reference === undefined || blobs.faultOf(reference) === undefined ? part : missingContentNote(part)
  })
}

function headerLine(file: string, { header, text, damage }: InspectedLine, changed: (text: string) => void): string {
  if (damage === undefined) return text.toString()
  if (damage.kind === 'version') {
    throw new Failure(
      'unsupported_version',
      `Line 1 of ${file}: ${damage.problem}; repair it with the rxpi that wrote it`,
    )
  }
  if (header !== undefined) {
    changed(`Line 1: ${damage.problem}`)
    return text.toString()
  }
  const { line, source } = rebuildHeader(file, text)
  changed(`Line 1: ${damage.problem}; it was recreated from ${source}`)
  return line
}

/** Seals a record again. Its event is in line form: it holds a result's content only if no other line does. */
function sealRecord({ seq, at, runId, opId, event }: SessionRecord): string {
  const run = runId === undefined ? {} : { runId }
  const operation = opId === undefined ? {} : { opId }
  return sealLine(openBody({ seq, at, ...run, ...operation, event }))
}

/** One line for each number missing before a record; the last of them is `start` if that could be recreated. */
function* lostRecords(
  { missing }: InspectedLine,
  { seq = 0, at, runId }: SessionRecord,
  start: AgentEvent | undefined,
): Generator<string, void> {
  const end = start === undefined ? seq : seq - 1
  for (let lost = seq - missing; lost < end; lost += 1) {
    const message = `The event number ${lost} was lost: its line was damaged or missing when the log was repaired`
    const event = { type: 'error', code: 'lost_line', message, recoverable: false } as const
    yield sealLine(lineBody({ seq: lost, at, event }))
  }
  if (start !== undefined) yield sealRecord({ seq: end, at, ...(runId === undefined ? {} : { runId }), event: start })
}

const maxTexts = 1_000

function boundedList(): { readonly texts: readonly string[]; add(text: string): void } {
  const texts: string[] = []
  let count = 0
  return {
    texts,
    add: (text) => {
      count += 1
      if (count <= maxTexts) texts.push(text)
      else texts[maxTexts] = `and ${count - maxTexts} more`
    },
  }
}

// Rebuilds a lost header from its damaged line and the file's name only.

interface RebuiltHeader {
  readonly line: string
  /** Sources of its fields, in words. */
  readonly source: string
}

/** @param bytes line 1 as in the file */
function rebuildHeader(file: string, bytes: Buffer): RebuiltHeader {
  const text = bytes.toString()
  const folder = path.basename(path.dirname(file))
  const name = parseLogFileName(path.basename(file))
  const id = name?.sessionId
  const read = readHeader(text)
  if (read !== undefined && (id === undefined || read.id === id) && isInOwnFolder(read.cwd, folder)) {
    return { line: newHeader(read).headerLine, source: 'what can still be read of it' }
  }
  const cwd = folderIn(text)
  const known = cwd !== undefined && isInOwnFolder(cwd, folder)
  const fields = {
    id: id ?? randomIds().session(),
    createdAt: name?.createdAt ?? Date.now(),
    cwd: known ? cwd : '/',
  }
  const named = id === undefined ? 'nothing: its id is a new one' : "its file's name"
  return { line: newHeader(fields).headerLine, source: known ? named : `${named}, and its folder is lost: it is / now` }
}

/** Its fields, if only its checksum is wrong. */
function readHeader(text: string): NewHeader | undefined {
  const checked = checkHeader(tryParseJson(text))
  return checked.ok ? checked.value : undefined
}

function folderIn(text: string): string | undefined {
  const [, quoted = ''] = /"cwd":("(?:[^"\\]|\\.)*")/.exec(text) ?? []
  const cwd = tryParseJson(quoted)
  return typeof cwd === 'string' && cwd !== '' ? cwd : undefined
}

/** A session folder's name ends in the hash of the working folder; other folders allow no comparison. */
function isInOwnFolder(cwd: string, folder: string): boolean {
  return !/-[0-9a-f]{16}$/.test(folder) || sessionFolder(cwd) === folder
}
