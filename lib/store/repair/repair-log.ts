// A repair is a copy: what can be believed stands in it as it was, what is lost is named in its place, and the original stays.
import { closeSync, fsyncSync, unlinkSync, writeFileSync } from 'node:fs'
import { storageFailure } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { missingContentNote, blobReferenceOf } from '../../streams/log/externalise-content.ts'
import { lineBody, openBody } from '../../streams/log/line-event.ts'
import { mapParts } from '../../streams/events/map-parts.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import type { BlobFolder } from '../blobs/blob-folder.ts'
import { createBeside } from '../log/end-last-line.ts'
import type { FoundBlobs } from '../blobs/found-blobs.ts'
import { inspectLog } from './inspect-log.ts'
import type { InspectedLine, LogToInspect } from './inspect-log.ts'
import { withLogToInspect } from './inspect-log.ts'
import { queueRepair } from './repair-entries.ts'
import { entryRepair } from './repair-entries.ts'
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
  /** The repaired copy; absent where the log is clean. */
  readonly repaired?: string
  /** What the copy lacks, for people; the first 1,000. */
  readonly lost: readonly string[]
  /** What stands otherwise in the copy, for people; the first 1,000. */
  readonly changed: readonly string[]
}

/**
 * Writes `<name>.repaired.jsonl` beside a damaged log, in steps as `verifyLog`. Lines that can be believed are kept byte for byte with their numbers; a
 * lost number gets an `error` event `lost_line`; an entry whose parent is lost hangs on the nearest one that is left; in the
 * place of content that is lost stands a text that says so.
 * @param file absolute
 * @param blobs see `verifyLog`
 * @throws Failure `storage`, `bad_request` where it is no file, `unsupported_version`
 */
export function* repairLog(file: string, blobs?: BlobFolder): Generator<undefined, LogRepair> {
  const verdict = yield* verifyLog(file, blobs)
  if (verdict.clean) return { ...verdict, lost: [], changed: [] }
  return yield* withLogToInspect({ file, blobs }, function* (log) {
    const { file: name, descriptor } = createBeside((attempt) => writeCopy(file, attempt))
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
      if (!isWhole) unlinkSync(name) // also where nobody waits for it any more
    }
  })
}

function writeCopy(file: string, attempt: number): string {
  return `${file.replace(/\.jsonl$/, '')}.repaired${attempt === 1 ? '' : `-${attempt}`}.jsonl`
}

type RepairNotes = Pick<LogRepair, 'lost' | 'changed'>

/** Gives each line of the copy to `write`. */
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
    const filled = { ...record, event: withoutLost(record.event, log.blobs) }
    const lostStart = inspected.missing === 0 ? undefined : queue.lostStart(filled)
    const start = lostStart && entries.mend({ ...record, event: lostStart }).event
    for (const lostLine of lostRecords(inspected, record, start)) write(lostLine)
    if (start !== undefined) {
      queue.mend(start)
      changed.add(
        `Line ${line}: the start of its message, which was a queued input, was lost and is made anew before it`,
      )
    }
    const queued = queue.mend(filled.event)
    const { event, change } = queued.change === undefined ? entries.mend(filled) : queued
    if (change !== undefined) changed.add(`Line ${line}: ${change}`)
    write(event === record.event ? inspected.text.toString() : sealRecord({ ...record, event }))
  }
  return { lost: lost.texts, changed: changed.texts }
}

/** The event with a text in the place of content that is lost. */
function withoutLost(event: AgentEvent, blobs: FoundBlobs): AgentEvent {
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
  changed(`Line 1: ${damage.problem}; it was made anew from ${source}`)
  return line
}

/** A record anew. Its event is as a line has it: a result's content stands in it only where no other line has it. */
function sealRecord({ seq, at, runId, opId, event }: SessionRecord): string {
  const run = runId === undefined ? {} : { runId }
  const operation = opId === undefined ? {} : { opId }
  return sealLine(openBody({ seq, at, ...run, ...operation, event }))
}

/** One line for each number that is missing before a record; the last of them is `start` where that could be made anew. */
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

const mostTexts = 1_000

function boundedList(): { readonly texts: readonly string[]; add(text: string): void } {
  const texts: string[] = []
  let count = 0
  return {
    texts,
    add: (text) => {
      count += 1
      if (count <= mostTexts) texts.push(text)
      else texts[mostTexts] = `and ${count - mostTexts} more`
    },
  }
}

// A header that is lost is made anew from what its damaged line and its file's name still say; nothing else is made up.

interface RebuiltHeader {
  readonly line: string
  /** Where its fields are from, for people. */
  readonly source: string
}

/** @param bytes line 1 as it stands in the file */
function rebuildHeader(file: string, bytes: Buffer): RebuiltHeader {
  const text = bytes.toString()
  const folder = path.basename(path.dirname(file))
  const [, createdAt, id] = /^(\d+)_([a-z2-7]{12})\.jsonl$/.exec(path.basename(file)) ?? []
  const read = readHeader(text)
  if (read !== undefined && (id === undefined || read.id === id) && isInOwnFolder(read.cwd, folder)) {
    return { line: newHeader(read).headerLine, source: 'what can still be read of it' }
  }
  const cwd = folderIn(text)
  const known = cwd !== undefined && isInOwnFolder(cwd, folder)
  const fields = {
    id: id ?? randomIds().session(),
    createdAt: Number(createdAt ?? Date.now()),
    cwd: known ? cwd : '/',
  }
  const named = id === undefined ? 'nothing: its id is a new one' : "its file's name"
  return { line: newHeader(fields).headerLine, source: known ? named : `${named}, and its folder is lost: it is / now` }
}

/** Its fields, where only its checksum is wrong. */
function readHeader(text: string): NewHeader | undefined {
  const checked = checkHeader(tryParseJson(text))
  return checked.ok ? checked.value : undefined
}

function folderIn(text: string): string | undefined {
  const [, quoted = ''] = /"cwd":("(?:[^"\\]|\\.)*")/.exec(text) ?? []
  const cwd = tryParseJson(quoted)
  return typeof cwd === 'string' && cwd !== '' ? cwd : undefined
}

/** A folder of sessions has the hash of the folder that they work in; elsewhere there is nothing to compare. */
function isInOwnFolder(cwd: string, folder: string): boolean {
  return !/-[0-9a-f]{16}$/.test(folder) || sessionFolder(cwd) === folder
}
