// Stores sessions as files of this user and finds them by id.
// Guarantees: an id touches no path before it matches its pattern.
import type { Dirent } from 'node:fs'
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { defer } from 'rxjs'
import type { Observable } from 'rxjs'
import { ensurePrivateFolder } from '../../host/files/private-files.ts'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import { shareOnce } from '../../streams/rx/share-once.ts'
import { Failure } from '../../streams/values/failure.ts'
import { didYouMean } from '../../streams/values/nearest-name.ts'
import type { SessionHeader } from '../../streams/log/log-line.ts'
import type { NewHeader, SessionLog, SessionStore } from '../../streams/ports/session-log.ts'
import type { SessionFacts } from '../../streams/state/session-summary.ts'
import { blobFolder } from '../blobs/blob-folder.ts'
import type { BlobFolder } from '../blobs/blob-folder.ts'
import { logFileName, parseLogFileName, sessionIdOfFile } from '../lines/log-file-name.ts'
import { createFileLog, openFileLog, openForReading } from '../log/open-file-log.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { boundedSync, nodeFileSystem } from '../disk/file-system-port.ts'
import { findSessionByOperation } from './find-session-by-operation.ts'
import { hiddenLog, hiddenSuffix, removeAbandonedLogs } from './hidden-log.ts'
import type { HiddenLog } from './hidden-log.ts'
import { listChildren, listLogs } from './list-logs.ts'
import type { LogList } from './list-logs.ts'
import { summariseLog } from './session-summary-from-log.ts'
import { newHeader } from '../lines/parse-header.ts'
import type { LogFile } from '../log/open-file-log.ts'
import { removeLog } from './remove-log.ts'
import { shareNext } from '../../streams/rx/share-next.ts'
import { sessionFolder } from './session-folder.ts'
import { makeLatest, settleFutureTimes } from './write-times.ts'
import { findLockFailure } from '../locks/session-lock.ts'

export interface FileStoreOptions {
  /** `$RXPI_HOME`, absolute (`rxpiPaths(env).home`); the first session creates it. */
  readonly home: string
  /** Default: the real file system. */
  readonly files?: FileSystemPort
  /** Bytes from which a log without a snapshot opens with its messages left in the file. Default 256 KiB. */
  readonly foldFrom?: number
  /** Socket of this process; included in the failure of processes that find a session locked by it. */
  readonly socket?: string
}

export interface FileStore extends SessionStore {
  /** The blobs that the logs refer to. */
  readonly blobs: BlobFolder
  /** Creates a log that no id and no list finds until it is published. @throws Failure `storage` */
  createHidden(header: NewHeader): HiddenLog
  /** The file of a session's log. @throws Failure `unknown_session`, `storage` */
  fileOf(sessionId: string): string
  /**
   * The failure `session_locked` naming the holder, if a living process holds the session. @throws Failure
   * `unknown_session`, `storage`
   */
  lockedBy(sessionId: string): Failure | undefined
  /** The sessions of this folder (default: all), without opening them; emits once. */
  list(cwd?: string): Observable<LogList>
  /** The sessions that branched off from this one, as `list`; reads no log again that is known to be none of them. */
  children(sessionId: string): Observable<LogList>
  /** The list entry of one session. @throws Failure `unknown_session`, `storage` */
  facts(sessionId: string): SessionFacts
  /**
   * The session that the command with this `opId` created in `cwd` within the last 24 hours: a new one, or with `parent`
   * a branch of that session. @throws Failure `storage`
   */
  madeBy(opId: string, cwd: string, parent?: string): SessionHeader | undefined
  /** Makes it `latest` of its folder, until another one is written to. @throws Failure `unknown_session`, `storage` */
  makeLatest(sessionId: string): void
  /**
   * Removes the session with everything stored for it alone and emits the paths. Runs to its end even if the subscriber
   * leaves. Fails with Failure `unknown_session`, `session_locked` if a process has it open, `storage`.
   */
  remove(sessionId: string): Observable<readonly string[]>
}

/**
 * One file a session: `<home>/sessions/<name of its cwd>-<hash>/<createdAt>_<id>.jsonl`, and its lock beside it while
 * it is open for writing.
 */
export function fileStore({ home, files: port = nodeFileSystem, foldFrom, socket }: FileStoreOptions): FileStore {
  const files = boundedSync(port)
  const socketOption = socket === undefined ? {} : { socket }
  const blobs = blobFolder(home, files)
  const sessions = path.join(home, 'sessions')
  const fileOf = (sessionId: string): string => {
    const file = findSession(sessions, sessionId)
    ensurePrivateFolder(path.dirname(file), home)
    return file
  }
  const createLog = logCreator({ home, files, blobs, ...socketOption })
  const all$ = shareNext(defer(() => listLogs(home, foldersOf(sessions, undefined))))
  return {
    blobs,
    create: (fields) => createLog(fields).log,
    createHidden: (fields) => {
      const { log, file } = createLog(fields, hiddenSuffix)
      const { id: sessionId } = log.header
      return hiddenLog({ log, file, home, files, sessionId })
    },
    fileOf,
    lockedBy: (sessionId) => findLockFailure({ file: fileOf(sessionId), sessionId }),
    open(sessionId, { readOnly = false } = {}) {
      const file = fileOf(sessionId)
      const found = { file, sessionId, files, blobs }
      if (readOnly) return openForReading(found)
      settleFutureTimes(path.dirname(file))
      return openFileLog({ ...found, foldFrom, ...socketOption })
    },
    latest(cwd) {
      const folder = path.join(sessions, sessionFolder(cwd))
      if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return undefined
      ensurePrivateFolder(folder, home)
      return latestIn(folder)
    },
    facts: (sessionId) => factsOf(fileOf(sessionId), sessionId, files),
    madeBy: (opId, cwd, parent) => findCreated(path.join(sessions, sessionFolder(cwd)), opId, parent),
    makeLatest: (sessionId) => {
      makeLatest(fileOf(sessionId))
    },
    remove: (sessionId) =>
      defer(() => {
        const folders = [path.join(home, 'spill', sessionId)]
        return removeLog({ file: fileOf(sessionId), sessionId, folders, home, files })
      }).pipe(shareOnce()),
    list: (cwd) => (cwd === undefined ? all$ : defer(() => listLogs(home, foldersOf(sessions, cwd)))),
    children: (sessionId) => defer(() => listChildren(home, foldersOf(sessions, undefined), sessionId)),
  }
}

/** Creates logs with their folders; a hidden one has a suffix after its name. */
function logCreator({ home, ...options }: Pick<LogFile, 'files' | 'blobs' | 'socket'> & { readonly home: string }) {
  return (fields: NewHeader, suffix = ''): { readonly log: SessionLog; readonly file: string } => {
    const { header, headerLine } = newHeader(fields)
    const folder = path.join(home, 'sessions', sessionFolder(header.cwd))
    const folders = foldersToSync(folder)
    ensurePrivateFolder(folder, home)
    settleFutureTimes(folder)
    if (suffix !== '') removeAbandonedLogs(folder)
    const name = logFileName({ createdAt: header.createdAt, sessionId: header.id })
    const file = path.join(folder, `${name}${suffix}`)
    return { log: createFileLog({ ...options, file, header, headerLine, folders }), file }
  }
}

function findCreated(folder: string, opId: string, parent: string | undefined): ReturnType<FileStore['madeBy']> {
  return findSessionByOperation({ folder, opId, parent, since: Date.now() - repeatedWithinMs })
}

function foldersOf(sessions: string, cwd: string | undefined): string[] {
  const names = cwd === undefined ? entriesOf(sessions).map(({ name }) => name) : [sessionFolder(cwd)]
  return names.map((name) => path.join(sessions, name))
}

function factsOf(file: string, sessionId: string, files: FileSystemPort): SessionFacts {
  const createdAt = parseLogFileName(path.basename(file))?.createdAt ?? 0
  return summariseLog({ file, sessionId, createdAt, files })
}

/** How long a session can be found by its opId after its creation. */
const repeatedWithinMs = 24 * 60 * 60 * 1_000

/** The folder of a new file, and the parent of every new folder. */
function foldersToSync(folder: string): string[] {
  const folders = [folder]
  for (let missing = folder; !existsSync(missing); missing = path.dirname(missing)) folders.push(path.dirname(missing))
  return folders
}

const sessionIdPattern = /^[a-z2-7]{12}$/

function findSession(sessions: string, sessionId: string): string {
  if (!sessionIdPattern.test(sessionId)) {
    const quoted = JSON.stringify(sessionId.slice(0, 40))
    throw new Failure('unknown_session', `${quoted} is not a session id: an id has 12 characters of a to z and 2 to 7`)
  }
  const ids: string[] = []
  for (const folder of entriesOf(sessions)) {
    // Includes linked folders: opening refuses them by name, which is clearer than "not found".
    if (folder.isFile()) continue
    const inside = path.join(sessions, folder.name)
    for (const { name } of entriesOf(inside)) {
      const id = sessionIdOfFile(name)
      if (id === sessionId) return path.join(inside, name)
      if (id !== undefined) ids.push(id)
    }
  }
  const near = didYouMean(sessionId, ids) || ` in ${sessions}`
  throw new Failure('unknown_session', `There is no session ${sessionId}${near}`)
}

function latestIn(folder: string): string | undefined {
  let latest: { readonly sessionId: string; readonly name: string; readonly writtenAt: number } | undefined
  for (const { name } of entriesOf(folder)) {
    const sessionId = sessionIdOfFile(name)
    const status = sessionId === undefined ? undefined : lstatSync(path.join(folder, name), { throwIfNoEntry: false })
    if (sessionId === undefined || status?.isFile() !== true || status.size === 0) continue
    const writtenAt = status.mtimeMs
    const later = latest === undefined || writtenAt > latest.writtenAt
    if (later || (writtenAt === latest?.writtenAt && name > latest.name)) latest = { sessionId, name, writtenAt }
  }
  return latest?.sessionId
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (thrown) {
    const errno = errnoOf(thrown)
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return [] // removed, or a link that leads to no folder
    throw storageFailure(`read the folder ${folder}`, thrown)
  }
}
