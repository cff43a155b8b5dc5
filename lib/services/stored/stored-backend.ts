// Wires the commands that work on session logs, whether or not the session is open.
import { auditPolicy } from './audit-policy.ts'
import { changeClosed } from './change-closed.ts'
import type { ClosedSurroundings } from './change-closed.ts'
import { getDiff } from './get-diff.ts'
import { openIn } from './open-target.ts'
import { readSessions } from './read-sessions.ts'
import type { ReadStores } from './read-sessions.ts'
import type { StoredBackend } from '../contract/server-backend.ts'
import { defer, filter, map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { inSlices } from '../../host/process/run-in-slices.ts'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { repairLog, searchLog, verifyLog } from '../../store/index.ts'
import type { FileStore, LogVerdict, ListedLog } from '../../store/index.ts'
import { absolutePath, checkFolder } from './check-path.ts'
import { transferSessions } from './transfer-sessions.ts'

export interface StoredBackendOptions extends ReadStores {
  /** Called when a session that is not open is changed, or its files are compared. */
  surroundings(): ClosedSurroundings
  /** The names of the tools that an imported session has active. */
  activeTools(): readonly string[]
  /** rxpi's folders and files, absolute: no export is written there. Default: none. */
  readonly protectedPaths?: readonly string[]
}

/** Reads and changes logs, whether or not their session is open. */
export function createStoredBackend(options: StoredBackendOptions): StoredBackend {
  const { memory, files, surroundings, activeTools, protectedPaths = [] } = options
  const stores = { memory, files }
  return {
    getBlob: (command) => getBlob(stores, command),
    ...manageSessions(files),
    ...readSessions(stores),
    ...auditPolicy(stores),
    ...sessionFiles(files),
    changeClosed: (command, { opId } = {}) =>
      changeClosed(command, {
        open: (session, options) => openIn([memory, files], session, options),
        surroundings,
        opId,
      }),
    getDiff: getDiff(stores, surroundings),
    ...transferSessions({ ...stores, checkFolder, activeTools, protectedPaths }),
  }
}

/** Default number of bytes of a result. */
const defaultBlobBytes = 4 * 1_024 * 1_024

/**
 * Emits once. Checks the blob in slices. Fails with `unknown_session`, `bad_request` if there is no such blob,
 * `storage`.
 */
function getBlob(
  { memory, files }: ReadStores,
  { session, hash, offset = 0, limit = defaultBlobBytes }: Omit<CommandNamed<'get_blob'>, 'type'>,
): Observable<ResultOf<'get_blob'>> {
  return defer(() => {
    checkStored({ memory, files }, session)
    return inSlices(() => readPiece(files.blobs.piece(hash, { offset, limit }), { hash, offset }))
  }).pipe(filter((step) => step !== undefined))
}

function* readPiece(
  piece: ReturnType<ReadStores['files']['blobs']['piece']>,
  { hash, offset }: { readonly hash: string; readonly offset: number },
): Generator<ResultOf<'get_blob'> | undefined, void> {
  const found = yield* piece
  if (found === undefined) throw new Failure('bad_request', `There is no blob ${hash}`)
  yield { bytes: found.bytes, offset, data: found.data.toString('base64') }
}

/** Also finds a replayed session. @throws Failure `unknown_session` */
function checkStored({ memory, files }: ReadStores, session: string): void {
  try {
    files.fileOf(session)
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'unknown_session') throw thrown
    memory.open(session, { readOnly: true })
  }
}

/** Verifies and repairs logs as files, whether or not their session can be opened. */
export function sessionFiles(store: FileStore): Pick<StoredBackend, 'verifySession' | 'repairSession'> {
  return {
    verifySession: (target) =>
      defer(() => resultInSlices(verifyLog(fileOf(store, target), store.blobs)).pipe(map(verdictResult))),
    repairSession: (target) =>
      defer(() =>
        resultInSlices(repairLog(fileOf(store, target), store.blobs)).pipe(
          map(({ repaired, lost, changed, ...verdict }) => {
            const copy = repaired === undefined ? {} : { repaired }
            return { ...verdictResult(verdict), ...copy, lost: [...lost], changed: [...changed] }
          }),
        ),
      ),
  }
}

/** Runs the steps in slices and emits their result; unsubscribing ends them. */
function resultInSlices<Result>(steps: Generator<undefined, Result>): Observable<Result> {
  function* steppedResult(): Generator<Result | undefined, void> {
    yield yield* steps
  }
  return inSlices(steppedResult).pipe(filter((result) => result !== undefined))
}

type Target = Omit<CommandNamed<'verify_session'>, 'type'>

function fileOf(store: FileStore, { session, file }: Target): string {
  if (session !== undefined && file === undefined) return store.fileOf(session)
  if (session !== undefined || file === undefined) throw new Failure('bad_request', 'Give either session or file')
  return absolutePath('file', file)
}

function verdictResult({ damages, ...verdict }: LogVerdict) {
  return { ...verdict, damages: damages.map((damage) => ({ ...damage })) }
}

/** Default number of sessions of a result. */
const defaultListLimit = 1_000

type ListedSession = ResultOf<'list_sessions'>['sessions'][number]

/** Lists, selects and removes sessions as files. */
export function manageSessions(
  store: FileStore,
): Pick<StoredBackend, 'listSessions' | 'switchSession' | 'deleteSession'> {
  return {
    listSessions: (command) =>
      defer(() => store.list(folderOf(command))).pipe(
        mergeMap(({ logs, problems }) => {
          const sessions = logs.map(listedSession).filter(isWanted(command))
          return sessionsWith(sessions, command.text).pipe(
            map(({ found, faults }) => ({ ...page(found, command), problems: [...problems, ...faults] })),
          )
        }),
      ),
    switchSession: ({ session }) =>
      defer(() => {
        store.makeLatest(session)
        const { cwd } = store.facts(session)
        return of(cwd === undefined ? {} : { cwd })
      }),
    deleteSession: ({ session }) =>
      defer(() => store.remove(session)).pipe(map((removed) => ({ removed: [...removed] }))),
  }
}

type Wanted = Omit<CommandNamed<'list_sessions'>, 'type'>

function folderOf({ cwd, all = false }: Wanted): string | undefined {
  return all || cwd === undefined ? undefined : absolutePath('cwd', cwd)
}

function listedSession({ facts, file, isLatest }: ListedLog): ListedSession {
  return { ...facts, file, isLatest }
}

/** A log without a count of its messages is long. */
function isWanted({ includeEmpty = true }: Wanted): (session: ListedSession) => boolean {
  return ({ messages }) => includeEmpty || messages !== 0
}

interface Found {
  readonly found: readonly ListedSession[]
  /** Logs that could not be searched. */
  readonly faults: readonly string[]
}

/** All sessions without a text; unsubscribing ends the search. */
function sessionsWith(sessions: readonly ListedSession[], text: string | undefined): Observable<Found> {
  return text === undefined ? of({ found: sessions, faults: [] }) : resultInSlices(searchSessions(sessions, text))
}

function* searchSessions(sessions: readonly ListedSession[], text: string): Generator<undefined, Found> {
  const [found, faults]: [ListedSession[], string[]] = [[], []]
  const wanted = text.toLowerCase()
  for (const session of sessions) {
    try {
      const match = yield* searchLog({ file: session.file, text })
      if (match !== undefined) found.push({ ...session, match })
      else if (session.title?.toLowerCase().includes(wanted) === true) found.push(session)
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown // a defect, and no fault of the log
      faults.push(thrown.message)
    }
  }
  return { found, faults }
}

/** @throws Failure `unknown_session` if `after` is not in the list */
function page(
  sessions: readonly ListedSession[],
  { after, limit = defaultListLimit }: Wanted,
): Pick<ResultOf<'list_sessions'>, 'sessions' | 'total' | 'more'> {
  const before = after === undefined ? -1 : sessions.findIndex(({ id }) => id === after)
  if (after !== undefined && before < 0) {
    throw new Failure('unknown_session', `after is ${after}, which is not a session of this list`)
  }
  const end = before + 1 + limit
  return { sessions: sessions.slice(before + 1, end), total: sessions.length, more: end < sessions.length }
}
