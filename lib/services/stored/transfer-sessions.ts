// Imports sessions from files of pi or rxpi, and exports sessions as text.
import {
  EMPTY,
  catchError,
  concat,
  concatMap,
  defer,
  ignoreElements,
  map,
  mergeMap,
  of,
  takeLast,
  tap,
  throwError,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { writeTarget } from '../../host/files/write-target.ts'
import {
  blobsOfFile,
  exportSession,
  exportSteps,
  foundBlobs,
  importSession,
  memoryStore,
  readPieces,
} from '../../store/index.ts'
import type { FileStore, HiddenLog, ImportOptions, ImportedSession } from '../../store/index.ts'
import { ignoreFailure } from '../../streams/rx/ignore-failure.ts'
import { shareOnce } from '../../streams/rx/share-once.ts'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import type { NewHeader, SessionLog, SessionStore } from '../../streams/ports/session-log.ts'
import { absolutePath } from './check-path.ts'
import { closeOnAbandon, removeOnAbandon } from '../../streams/rx/on-abandon.ts'
import { openIn } from './open-target.ts'
import type { StoredBackend } from '../contract/server-backend.ts'
import { saveStateSnapshot } from '../../session/recovery/state-snapshot.ts'
import { replayLog } from '../../session/recovery/replay-log.ts'

export interface TransferOptions {
  readonly memory: SessionStore
  readonly files: FileStore
  /** Fails if the folder is none. @throws Failure `bad_request` */
  checkFolder(cwd: string): void
  /** The names of the active tools of an imported session. */
  activeTools(): readonly string[]
  /** rxpi's folders and files, absolute: no export is written there. Default: none. */
  readonly protectedPaths?: readonly string[]
}

type Import = Omit<CommandNamed<'import_session'>, 'type'>
type Source = Pick<Import, 'file' | 'content'>
type Export = Omit<CommandNamed<'export_session'>, 'type'>

/** Imports and exports sessions. */
export function transferSessions(options: TransferOptions): Pick<StoredBackend, 'importSession' | 'exportSession'> {
  return {
    importSession: (command) =>
      defer(() => {
        options.checkFolder(command.cwd)
        return importFrom(command, options)
      }),
    exportSession: (command) =>
      defer(() => (command.file === undefined ? exportStored(command, options) : exportFile(command, options))),
  }
}

/** Unsubscribing removes what the import has written. */
function importFrom(command: Import, { files, activeTools }: TransferOptions): Observable<ResultOf<'import_session'>> {
  let created: HiddenLog | undefined
  let published = false
  let snapshot$: Observable<never> = EMPTY
  const store = { create: (header: NewHeader) => (created = files.createHidden(header)).log }
  // a killed import leaves a hidden log; the session appears when it is complete, or when the error names it
  const publish$ = defer(() => {
    if (created === undefined || published) return EMPTY
    published = true
    return created.publish()
  })
  const own = { ...newIds(), cwd: command.cwd, store, activeTools: activeTools() }
  return importSession({ ...sourceOf(command, files), ...own }).pipe(
    takeLast(1), // its log is closed by then
    catchError((thrown: unknown) =>
      concat(
        publish$,
        throwError(() => Failure.from(thrown)),
      ),
    ),
    concatMap((session) => concat(publish$, of(session))),
    concatMap((session) => {
      snapshot$ = snapshotClosed(files, session.header.id).pipe(shareOnce()) // opens the log: a removal waits for its end
      return concat(snapshot$, of(importResult(session)))
    }),
    removeOnAbandon(
      defer(() =>
        created === undefined
          ? EMPTY
          : concat(
              closeLog(created.log),
              snapshot$,
              published ? files.remove(created.log.header.id) : created.remove(),
            ),
      ),
    ),
  )
}

/** A failed sync does not matter: the log is removed. */
function closeLog(log: SessionLog): Observable<never> {
  return log.close().pipe(catchError(() => EMPTY))
}

function newIds(): { readonly ids: ReturnType<typeof randomIds>; readonly now: number } {
  return { ids: randomIds(), now: Date.now() }
}

function sourceOf({ file, content }: Source, own: FileStore): Pick<ImportOptions, 'name' | 'pieces' | 'blobs'> {
  if (file !== undefined && content === undefined)
    return { name: file, pieces: readPieces(absolutePath('file', file)), blobs: blobsOfFile(file, own.blobs) }
  if (file === undefined && content !== undefined)
    return { name: 'The content', pieces: [Buffer.from(content)], blobs: foundBlobs([own.blobs]) }
  throw new Failure('bad_request', 'Give either file or content')
}

function importResult({ header, originId, notes, ...imported }: ImportedSession): ResultOf<'import_session'> {
  return { session: header.id, header, ...imported, notes: notes.map((note) => ({ ...note })) }
}

function exportStored(command: Export, options: TransferOptions): Observable<ResultOf<'export_session'>> {
  const { session } = command
  if (session === undefined) throw new Failure('bad_request', 'Give either session or file')
  const { log } = openIn([options.memory, options.files], session, { readOnly: true })
  return exportLog(log, command, options).pipe(
    mergeMap((result) => concat(log.close(), of(result))),
    closeOnAbandon(log),
  )
}

/** Reads the file as an import does, into memory: pi's files and damaged logs can be exported too. */
function exportFile(command: Export, options: TransferOptions): Observable<ResultOf<'export_session'>> {
  const { session, file = '' } = command
  if (session !== undefined) throw new Failure('bad_request', 'Give either session or file')
  const store = memoryStore()
  return importSession({ ...sourceOf({ file }, options.files), store, ...newIds() }).pipe(
    concatMap(({ header, originId: id, notes, moreNotes }) => {
      const { log } = store.open(header.id, { readOnly: true })
      const noteFields = { notes: notes.map((note) => ({ ...note })), moreNotes }
      const asItWas = { header: { ...header, id }, records: () => log.records() } // the export has the recorded id: no session has the new one
      return exportLog(asItWas, command, options).pipe(map((result) => ({ ...result, ...noteFields })))
    }),
  )
}

/** Characters of a text result; a longer export needs a file. */
const maxTextLength = 8 * 1024 * 1024

interface Exported {
  readonly text?: string
  readonly file?: string
  readonly characters: number
}

function exportLog(
  log: Pick<SessionLog, 'header' | 'records' | 'blobs'>,
  { format, to, overwrite = false }: Export,
  { protectedPaths = [] }: TransferOptions,
): Observable<ResultOf<'export_session'>> {
  const target = to === undefined ? undefined : absolutePath('to', to)
  const result$: Observable<Exported> =
    target === undefined
      ? exportToText(exportSession(log, format))
      : exportSteps(log, format).pipe(
          concatMap((begin) =>
            fromAbortable((signal) => writeTarget(target, begin(), { overwrite, protectedPaths, signal })),
          ),
          map((characters) => ({ file: target, characters })),
        )
  return result$.pipe(map((result) => ({ ...result, notes: [], moreNotes: 0 })))
}

/** Fails with `message_too_large` if the text exceeds a result, and reads no further. */
function exportToText(pieces$: Observable<string>): Observable<Exported> {
  return defer(() => {
    const pieces: string[] = []
    let characters = 0
    const taken$ = pieces$.pipe(
      tap((piece) => {
        characters += piece.length
        if (characters > maxTextLength) throw tooLongFailure()
        pieces.push(piece)
      }),
    )
    return concat(
      taken$.pipe(ignoreElements()),
      defer(() => of({ text: pieces.join(''), characters })),
    )
  })
}

function tooLongFailure(): Failure {
  const message = `The export has more than ${maxTextLength} characters, the limit of one response; name a file to write with "to"`
  return new Failure('message_too_large', message)
}

/**
 * Stores a snapshot of a closed session, so that its next opening reads less; completes when the log is closed. Ignores
 * Failures: if another process holds the log, or it cannot be read, the next opening reports that.
 */
export function snapshotClosed(store: Pick<SessionStore, 'open'>, sessionId: string): Observable<never> {
  return defer(() => {
    const { log } = store.open(sessionId)
    const saved$ = defer(() => {
      saveStateSnapshot(log, replayLog(log), 'closing')
      return EMPTY
    })
    return concat(saved$, log.close()).pipe(closeOnAbandon(log))
  }).pipe(ignoreFailure())
}
