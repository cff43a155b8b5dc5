// Imports a foreign session file as a new session.
// Guarantees: it has a new id and the caller's folder, its events are ordinary appends, and it gets no trust.
import { catchError, concat, concatMap, filter, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { Blobs } from '../../streams/log/blobs.ts'
import { loadContent, externaliseContent } from '../../streams/log/externalise-content.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { Ids } from '../../streams/values/identifiers.ts'
import type { SessionHeader } from '../../streams/log/log-line.ts'
import { mapParts } from '../../streams/events/map-parts.ts'
import type { SessionLog, SessionStore } from '../../streams/ports/session-log.ts'
import { thinkingLevels } from '../../streams/models/model.ts'
import { foundBlobs } from '../blobs/find-blobs.ts'
import { inSlices } from '../../host/process/run-in-slices.ts'
import { foreignLines } from './foreign-lines.ts'
import type { ForeignLine } from './foreign-lines.ts'
import { foreignTime } from './foreign-values.ts'
import { importNotes, originEvent } from './importer.ts'
import type { ImportNote, ImportNotes, ImportedEvent, Importer } from './importer.ts'
import { logImporter } from './log-importer.ts'
import { piImporter } from './pi-importer.ts'
import { readSessionFormat } from './session-format.ts'
import type { SessionFormat } from './session-format.ts'
import { titleLimit } from '../../streams/values/identifiers.ts'
import { firstUnits } from '../../streams/values/truncate.ts'
import { openBody } from '../../streams/log/line-event.ts'

export interface ImportOptions {
  /** Its name, for errors and notes. */
  readonly name: string
  /** The file's bytes, in order. */
  readonly pieces: Iterable<Uint8Array>
  /** Absolute; the session's working folder, confirmed by a person. Default: the file's folder, for viewing only. */
  readonly cwd?: string
  readonly store: Pick<SessionStore, 'create'>
  readonly ids: Ids
  /** Unix milliseconds. */
  readonly now: number
  /** Source of the blobs that lines refer to. Default: they count as lost. */
  readonly blobs?: Pick<Blobs, 'read'>
  /** The settings of the new session; a file cannot set them. Default: those of a new session. */
  readonly activeTools?: readonly string[]
}

export interface ImportedSession {
  readonly header: SessionHeader
  readonly format: SessionFormat['format']
  /** The session's former id. */
  readonly originId: string
  /** Number of imported messages. */
  readonly messages: number
  /** Changes made by the import; at most 1,000. */
  readonly notes: readonly ImportNote[]
  /** Number of further notes. */
  readonly moreNotes: number
}

/**
 * Imports a session of pi (versions 1 to 3) or a log of rxpi; emits once, when all of it is on disk and its log is
 * closed. Works in slices of a few milliseconds; unsubscribing stops it and closes log and file. Fails with
 * `bad_request`, `unsupported_version` or `storage`; a partial session then stays, and the message names it.
 */
export function importSession(options: ImportOptions): Observable<ImportedSession> {
  return inSlices(() => importSteps(options)).pipe(
    filter((step) => step !== undefined),
    // closing waits for the disk; it runs to its end even after the subscriber has left, and releases the log even on a
    // failure
    concatMap(({ log, ...imported }) =>
      concat(log.close(), of(imported)).pipe(
        catchError((thrown: unknown) => throwError(() => incompleteImport(log, thrown))),
      ),
    ),
  )
}

/** Each step imports one line, or reads a piece of a long one; the last one returns the session with its log open. */
function* importSteps(options: ImportOptions): Generator<OpenImport | undefined, void> {
  const lines = foreignLines(options.pieces)
  try {
    yield* importFile(lines, options)
  } finally {
    lines.return() // also if the first line was refused: the file is open
  }
}

function* importFile(
  lines: Generator<ForeignLine | undefined, void>,
  options: ImportOptions,
): Generator<OpenImport | undefined, void> {
  const found = readSessionFormat(lines, options.name)
  const log = options.store.create(headerFor(found, options))
  let complete = false
  try {
    const written = yield* copyEvents(found, { lines, log, options })
    complete = true
    yield written
  } catch (thrown) {
    throw incompleteImport(log, thrown)
  } finally {
    if (!complete) log.close().subscribe({ error: () => undefined }) // the earlier failure is reported
  }
}

type OpenImport = ImportedSession & { readonly log: SessionLog }

interface Copying {
  readonly lines: Iterable<ForeignLine | undefined>
  readonly log: SessionLog
  readonly options: ImportOptions
}

function* copyEvents(found: SessionFormat, { lines, log, options }: Copying): Generator<undefined, OpenImport> {
  const { ids, now, activeTools } = options
  const notes = importNotes()
  const writer = importWriter(log)
  const { createdAt: at } = log.header
  for (const event of [originEvent(originOf(found)), ...firstEvents(found)]) writer.write({ at, event })
  const complete = completeEvents(options, notes)
  if (found.format === 'rxpi' && found.header.title !== undefined)
    shortTitle(found.header.title, (message) => notes.add(1, message)) // its header has the title already
  const importer = importerFor(found, { ids, notes, createdAt: at })
  for (const line of lines) {
    if (line !== undefined)
      for (const imported of importer.line(line))
        writer.write({ ...imported, event: complete(imported.event, line.number) })
    yield
  }
  if (found.format === 'rxpi' && activeTools !== undefined)
    writer.write({ at: now, event: { type: 'active_tools_change', to: [...activeTools], by: 'server' } })
  const { messages } = writer
  const originId = String(found.header.id)
  return { header: log.header, format: found.format, originId, messages, notes: notes.list, moreNotes: notes.more, log }
}

/** Loads content that a line only refers to; the new log stores it in its own home. */
function completeEvents(
  { blobs = noBlobs }: ImportOptions,
  notes: ImportNotes,
): (event: AgentEvent, line: number) => AgentEvent {
  return (event, line) =>
    mapParts(
      withShortTitle(event, (message) => notes.add(line, message)),
      loadContent(blobs, (_, { message }) => notes.add(line, message)),
    )
}

const noBlobs: Pick<Blobs, 'read'> = foundBlobs([])

function incompleteImport({ header }: SessionLog, thrown: unknown): Failure {
  const failure = Failure.from(thrown)
  const message = `${failure.message}. The import stopped; what was imported so far is session ${header.id}`
  return new Failure(failure.code, message, { data: failure.data, cause: thrown })
}

/**
 * Keeps the file's time and title; its id, parent and `opId` are dropped, its folder is used only if no other is set.
 */
function headerFor(found: SessionFormat, { ids, cwd, now }: ImportOptions): Omit<SessionHeader, 'type' | 'v' | 'crc'> {
  const id = ids.session()
  const { header } = found
  const folder = cwd ?? (typeof header.cwd === 'string' && header.cwd !== '' ? header.cwd : '/')
  if (found.format === 'pi') return { id, createdAt: foreignTime(found.header['timestamp']) ?? now, cwd: folder }
  const { createdAt, title } = found.header
  return { id, createdAt, cwd: folder, ...(title === undefined ? {} : { title: shortTitle(title, () => undefined) }) }
}

function originOf(found: SessionFormat): object {
  const { format, header } = found
  return format === 'pi' ? { format, version: found.version, header } : { format, version: header.v, header }
}

/** The oldest files of pi name model and thinking level in their header; files of omp have a title there. */
function firstEvents(found: SessionFormat): AgentEvent[] {
  if (found.format !== 'pi') return []
  const { title } = found
  const { provider, modelId, thinkingLevel } = found.header
  const named = typeof provider === 'string' && typeof modelId === 'string'
  const level = thinkingLevels.find((known) => known === thinkingLevel)
  return [
    ...(title === undefined
      ? []
      : [{ type: 'session_info_change' as const, to: { title: firstUnits(title, titleLimit) } }]),
    ...(named ? [{ type: 'model_change' as const, to: `${provider}/${modelId}` }] : []),
    ...(level === undefined ? [] : [{ type: 'thinking_level_change' as const, to: level }]),
  ]
}

interface ImporterOptions {
  readonly ids: Ids
  readonly notes: ImportNotes
  readonly createdAt: number
}

function importerFor(found: SessionFormat, { ids, notes, createdAt }: ImporterOptions): Importer {
  return found.format === 'rxpi' ? logImporter(notes) : piImporter({ header: found.header, createdAt, ids, notes })
}

/** Cuts an imported title to the limit of titles, never inside a character; calls `addNote` if it cuts. */
export function shortTitle(title: string, addNote: (message: string) => void): string {
  const short = firstUnits(title, titleLimit)
  if (short.length < title.length)
    addNote(`its title has ${title.length} characters; the first ${titleLimit} were kept: no title may be longer`)
  return short
}

/** The event; a title change gets a short title. */
function withShortTitle(event: AgentEvent, addNote: (message: string) => void): AgentEvent {
  if (event.type !== 'session_info_change') return event
  const { title } = event.to
  return typeof title === 'string' ? { ...event, to: { ...event.to, title: shortTitle(title, addNote) } } : event
}

// Imported events are appended like any others: numbered, sealed, in order; only the times come from the file.

interface ImportWriter {
  /** Number of complete messages. */
  readonly messages: number
  /** @throws Failure `storage` */
  write(event: ImportedEvent): void
}

function importWriter(log: SessionLog): ImportWriter {
  let messages = 0
  return {
    get messages() {
      return messages
    },
    write: ({ at, runId, event }) => {
      if (event.type === 'message_update') log.checkpoint(openBody({ at, event }))
      else
        log.append(
          body(log.head + 1, at, runId, log.blobs === undefined ? event : externaliseContent(event, log.blobs)),
        )
      if (event.type === 'message_end') messages += 1
    },
  }
}

/** Written unchanged: a result of pi has no `tool_execution_end` that could hold its content, so its own line does. */
function body(seq: number, at: number, runId: string | undefined, event: AgentEvent): string {
  const run = runId === undefined ? '' : `,"runId":"${runId}"`
  return `{"seq":${seq},"at":${at}${run},"event":${JSON.stringify(event)}`
}
