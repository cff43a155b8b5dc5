// A session file from elsewhere becomes a new session: its own id, the caller's folder, ordinary appends, and no trust.
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
import { foundBlobs } from '../blobs/found-blobs.ts'
import { inSlices } from '../../host/process/run-in-slices.ts'
import { foreignLines, isBlank } from './foreign-lines.ts'
import type { ForeignLine } from './foreign-lines.ts'
import { foreignTime } from './foreign-values.ts'
import type { ImportNote, ImportNotes } from './importer.ts'
import { importNotes } from './importer.ts'
import { originEvent } from './importer.ts'
import type { Importer, ImportedEvent } from './importer.ts'
import { logImporter } from './log-importer.ts'
import { piImporter } from './pi-importer.ts'
import { sessionFormat } from './session-format.ts'
import type { SessionFormat } from './session-format.ts'
import { titleLimit } from '../../streams/values/identifiers.ts'
import { firstUnits } from '../../streams/values/truncate.ts'
import { openBody } from '../../streams/log/line-event.ts'

export interface ImportOptions {
  /** What it is called, for errors and notes. */
  readonly name: string
  /** The file's bytes, in order. */
  readonly pieces: Iterable<Uint8Array>
  /** Absolute; the folder that the session works in from now on, confirmed by a person. Default: what the file says, to look at it. */
  readonly cwd?: string
  readonly store: Pick<SessionStore, 'create'>
  readonly ids: Ids
  /** Unix milliseconds. */
  readonly now: number
  /** Where what its lines only name is looked for. Default: it counts as lost. */
  readonly blobs?: Pick<Blobs, 'read'>
  /** What is active when it goes on; a file cannot say it. Default: as in a new session. */
  readonly activeTools?: readonly string[]
}

export interface ImportedSession {
  readonly header: SessionHeader
  readonly format: SessionFormat['format']
  /** What the session was called where it came from. */
  readonly originId: string
  /** How many messages were taken over. */
  readonly messages: number
  /** What did not stay what it was; at most 1,000. */
  readonly notes: readonly ImportNote[]
  /** Notes beyond those. */
  readonly moreNotes: number
}

/**
 * Imports a session of pi (versions 1 to 3) or a log of rxpi; emits once, when all of it is on the disk and its log is closed.
 * Works in slices of a few milliseconds; unsubscribing stops it and lets go of log and file. Fails with `bad_request`, `unsupported_version` or `storage`; a session that was
 * begun then stays as far as it came, and the message names it.
 */
export function importSession(options: ImportOptions): Observable<ImportedSession> {
  return inSlices(() => importSteps(options)).pipe(
    filter((step) => step !== undefined),
    // closing waits for the disk, and lets go of the log whatever that says, and though nobody listens any more
    concatMap(({ log, ...imported }) =>
      concat(log.close(), of(imported)).pipe(
        catchError((thrown: unknown) => throwError(() => incompleteImport(log, thrown))),
      ),
    ),
  )
}

/** Each step takes one line; the last one gives the session, whose log is open. */
function* importSteps(options: ImportOptions): Generator<Written | undefined, void> {
  const lines = foreignLines(options.pieces)
  try {
    yield* importFile(lines, options)
  } finally {
    lines.return() // also where the file was refused by its first line: it is open
  }
}

function* importFile(
  lines: Generator<ForeignLine, void>,
  options: ImportOptions,
): Generator<Written | undefined, void> {
  const found = sessionFormat(options.name, firstLine(lines))
  const log = options.store.create(headerFor(found, options))
  let complete = false
  try {
    const written = yield* copyEvents(found, { lines, log, options })
    complete = true
    yield written
  } catch (thrown) {
    throw incompleteImport(log, thrown)
  } finally {
    if (!complete) log.close().subscribe({ error: () => undefined }) // what failed before is told
  }
}

type Written = ImportedSession & { readonly log: SessionLog }

interface Copying {
  readonly lines: Iterable<ForeignLine>
  readonly log: SessionLog
  readonly options: ImportOptions
}

function* copyEvents(found: SessionFormat, { lines, log, options }: Copying): Generator<undefined, Written> {
  const { ids, now, activeTools } = options
  const notes = importNotes()
  const writer = importWriter(log)
  const { createdAt: at } = log.header
  for (const event of [originEvent(originOf(found)), ...firstEvents(found)]) writer.write({ at, event })
  const whole = completeEvents(options, notes)
  if (found.format === 'rxpi' && found.header.title !== undefined)
    shortTitle(found.header.title, (message) => notes.add(1, message)) // its header has it already
  const importer = importerFor(found, { ids, notes, createdAt: at })
  for (const line of lines) {
    for (const imported of importer.line(line)) writer.write({ ...imported, event: whole(imported.event, line.number) })
    yield
  }
  if (found.format === 'rxpi' && activeTools !== undefined)
    writer.write({ at: now, event: { type: 'active_tools_change', to: [...activeTools], by: 'server' } })
  const { messages } = writer
  const originId = String(found.header.id)
  return { header: log.header, format: found.format, originId, messages, notes: notes.list, moreNotes: notes.more, log }
}

/** What a line only names is taken over itself: the new log keeps it aside in its own home. */
function completeEvents(
  { blobs = none }: ImportOptions,
  notes: ImportNotes,
): (event: AgentEvent, line: number) => AgentEvent {
  return (event, line) =>
    mapParts(
      withShortTitle(event, (message) => notes.add(line, message)),
      loadContent(blobs, (_, { message }) => notes.add(line, message)),
    )
}

const none: Pick<Blobs, 'read'> = foundBlobs([])

function incompleteImport({ header }: SessionLog, thrown: unknown): Failure {
  const failure = Failure.from(thrown)
  const message = `${failure.message}. The import stopped; what was imported so far is session ${header.id}`
  return new Failure(failure.code, message, { data: failure.data, cause: thrown })
}

function firstLine(lines: Iterator<ForeignLine, void>): ForeignLine | undefined {
  for (let next = lines.next(); next.done !== true; next = lines.next()) {
    if (next.value.bytes === undefined || !isBlank(next.value.bytes)) return next.value
  }
  return undefined
}

/** The file's own time and title stay; its id, parent and `opId` do not, and its folder only where no other is given. */
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

/** The oldest files of pi say model and thinking level in their header. */
function firstEvents({ format, header }: SessionFormat): AgentEvent[] {
  if (format !== 'pi') return []
  const { provider, modelId, thinkingLevel } = header
  const named = typeof provider === 'string' && typeof modelId === 'string'
  const level = thinkingLevels.find((known) => known === thinkingLevel)
  return [
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

// A title from elsewhere is no longer than one that is given here; what was cut is told.

/** The title's beginning, never in the midst of a character; `told` where that is not all. */
export function shortTitle(title: string, addNote: (message: string) => void): string {
  const short = firstUnits(title, titleLimit)
  if (short.length < title.length)
    addNote(`its title has ${title.length} characters; the first ${titleLimit} were kept, as no title has more`)
  return short
}

/** The event; one that gives the session a title gives it a short one. */
function withShortTitle(event: AgentEvent, addNote: (message: string) => void): AgentEvent {
  if (event.type !== 'session_info_change') return event
  const { title } = event.to
  return typeof title === 'string' ? { ...event, to: { ...event.to, title: shortTitle(title, addNote) } } : event
}

// What is imported is appended like anything else: numbered, sealed, in order; only the times are the file's.

interface ImportWriter {
  /** Messages that were written whole. */
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

/** As it stands: a result of pi's has no `tool_execution_end` that could hold its content, so its own line does. */
function body(seq: number, at: number, runId: string | undefined, event: AgentEvent): string {
  const run = runId === undefined ? '' : `,"runId":"${runId}"`
  return `{"seq":${seq},"at":${at}${run},"event":${JSON.stringify(event)}`
}
