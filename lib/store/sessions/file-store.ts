// Sessions are found by their id alone, in folders and files of this user only; an id touches no path before it fits its pattern.
import type { Dirent } from 'node:fs'
import { existsSync, lstatSync, readdirSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { defer } from 'rxjs'
import type { Observable } from 'rxjs'
import { ensurePrivateFolder } from '../../host/files/private-files.ts'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import { shareOnce } from '../../streams/rx/share-once.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionHeader } from '../../streams/log/log-line.ts'
import type { SessionStore } from '../../streams/ports/session-log.ts'
import type { SessionFacts } from '../../streams/state/session-summary.ts'
import { blobFolder } from '../blobs/blob-folder.ts'
import type { BlobFolder } from '../blobs/blob-folder.ts'
import { createFileLog } from '../log/open-file-log.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { nodeFileSystem } from '../disk/file-system-port.ts'
import { findSessionByOperation } from './find-session-by-operation.ts'
import { listLogs } from './list-logs.ts'
import type { LogList } from './list-logs.ts'
import { summariseLog } from './session-summary-from-log.ts'
import { newHeader } from '../lines/parse-header.ts'
import { openFileLog, openForReading } from '../log/open-file-log.ts'
import { removeLog } from './remove-log.ts'
import { sessionFolder } from './session-folder.ts'
import { findLockFailure } from '../locks/session-lock.ts'

export interface FileStoreOptions {
  /** `$RXPI_HOME`, absolute (`rxpiPaths(env).home`); created when the first session is. */
  readonly home: string
  /** Default: the machine's own. */
  readonly files?: FileSystemPort
  /** Bytes from which on a log is opened without its messages in memory, where nothing is kept beside it. Default 256 KiB. */
  readonly foldFrom?: number
  /** Where this process can be reached; told to processes that find a session locked by it. */
  readonly socket?: string
}

export interface FileStore extends SessionStore {
  /** Large content that the logs name. */
  readonly blobs: BlobFolder
  /** The file of a session's log. @throws Failure `unknown_session`, `storage` */
  fileOf(sessionId: string): string
  /** Failure `session_locked` that names who holds it, where a living process does. @throws Failure `unknown_session`, `storage` */
  lockedBy(sessionId: string): Failure | undefined
  /** The sessions of this folder (default: all), without opening them; emits once. */
  list(cwd?: string): Observable<LogList>
  /** What a list tells of one session. @throws Failure `unknown_session`, `storage` */
  facts(sessionId: string): SessionFacts
  madeBy(opId: string, cwd: string, parent?: string): SessionHeader | undefined
  /** From now on `latest` of its folder, until another one is written to. @throws Failure `unknown_session`, `storage` */
  makeLatest(sessionId: string): void
  /**
   * Removes it with all that is kept for it alone, to the end whether or not anybody waits for it; emits the paths. Fails with Failure `unknown_session`, `session_locked` where
   * somebody has it open, `storage`.
   */
  remove(sessionId: string): Observable<readonly string[]>
}

/**
 * One file a session: `<home>/sessions/<name of its cwd>-<hash>/<createdAt>_<id>.jsonl`, and beside it, while it is open for
 * writing, its lock.
 */
export function fileStore({ home, files: port = nodeFileSystem, foldFrom, socket }: FileStoreOptions): FileStore {
  const files = boundedSync(port)
  const reached = socket === undefined ? {} : { socket }
  const blobs = blobFolder(home, files)
  const sessions = path.join(home, 'sessions')
  const fileOf = (sessionId: string): string => {
    const file = findSession(sessions, sessionId)
    ensurePrivateFolder(path.dirname(file), home)
    return file
  }
  return {
    blobs,
    create(fields) {
      const { header, headerLine } = newHeader(fields)
      const folder = path.join(sessions, sessionFolder(header.cwd))
      const folders = foldersToSync(folder)
      ensurePrivateFolder(folder, home)
      const file = path.join(folder, `${Math.trunc(header.createdAt)}_${header.id}.jsonl`)
      return createFileLog({ files, file, header, headerLine, folders, blobs, ...reached })
    },
    fileOf,
    lockedBy: (sessionId) => findLockFailure({ file: fileOf(sessionId), sessionId }),
    open(sessionId, { readOnly = false } = {}) {
      const file = fileOf(sessionId)
      const found = { file, sessionId, files, blobs }
      return readOnly ? openForReading(found) : openFileLog({ ...found, foldFrom, ...reached })
    },
    latest(cwd) {
      const folder = path.join(sessions, sessionFolder(cwd))
      if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return undefined
      ensurePrivateFolder(folder, home)
      return latestIn(folder)
    },
    facts: (sessionId) => factsOf(fileOf(sessionId), sessionId, files),
    madeBy: (opId, cwd, parent) =>
      findSessionByOperation({
        folder: path.join(sessions, sessionFolder(cwd)),
        opId,
        parent,
        since: Date.now() - repeatedWithinMs,
      }),
    makeLatest: (sessionId) => {
      makeLatest(fileOf(sessionId))
    },
    remove: (sessionId) =>
      defer(() => {
        const folders = [path.join(home, 'spill', sessionId)]
        return removeLog({ file: fileOf(sessionId), sessionId, folders, home, files })
      }).pipe(shareOnce()),
    list: (cwd) => defer(() => listLogs(home, foldersOf(sessions, cwd))),
  }
}

function foldersOf(sessions: string, cwd: string | undefined): string[] {
  const names = cwd === undefined ? entriesOf(sessions).map(({ name }) => name) : [sessionFolder(cwd)]
  return names.map((name) => path.join(sessions, name))
}

function factsOf(file: string, sessionId: string, files: FileSystemPort): SessionFacts {
  const createdAt = Number(/^\d+/.exec(path.basename(file))?.[0] ?? 0)
  return summariseLog({ file, sessionId, createdAt, files })
}

/** How long after it was made a session is found by its opId. */
const repeatedWithinMs = 24 * 60 * 60 * 1_000

/** The new file's folder, and every folder that a new folder is named in. */
function foldersToSync(folder: string): string[] {
  const folders = [folder]
  for (let missing = folder; !existsSync(missing); missing = path.dirname(missing)) folders.push(path.dirname(missing))
  return folders
}

const sessionIdPattern = /^[a-z2-7]{12}$/
const fileNamePattern = /_([a-z2-7]{12})\.jsonl$/

function findSession(sessions: string, sessionId: string): string {
  if (!sessionIdPattern.test(sessionId)) {
    const quoted = JSON.stringify(sessionId.slice(0, 40))
    throw new Failure('unknown_session', `${quoted} is no session id: one has 12 characters of a to z and 2 to 7`)
  }
  for (const folder of entriesOf(sessions)) {
    // A linked folder is looked into as well: opening refuses it by name, which says more than that nothing was found.
    if (folder.isFile()) continue
    const inside = path.join(sessions, folder.name)
    const found = entriesOf(inside).find(({ name }) => fileNamePattern.exec(name)?.[1] === sessionId)
    if (found !== undefined) return path.join(inside, found.name)
  }
  throw new Failure('unknown_session', `There is no session ${sessionId} in ${sessions}`)
}

function latestIn(folder: string): string | undefined {
  let latest: { readonly sessionId: string; readonly name: string; readonly writtenAt: number } | undefined
  for (const { name } of entriesOf(folder)) {
    const sessionId = fileNamePattern.exec(name)?.[1]
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
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return [] // gone, or a link to what is no folder
    throw storageFailure(`read the folder ${folder}`, thrown)
  }
}

// Which session of a folder is gone on with is decided by the time of its file alone, so that no second record can contradict it.

/** Gives the log's file a time later than that of every other log in its folder; what stands in it stays. @throws Failure `storage` */
function makeLatest(file: string): void {
  const folder = path.dirname(file)
  try {
    const others = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && name !== path.basename(file))
    const times = others.map((name) => lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
    // a clock that was put back leaves files of the future
    const seconds = times.reduce((latest, time) => Math.max(latest, Math.ceil(time) + 1), Date.now()) / 1_000
    utimesSync(file, seconds, seconds)
  } catch (thrown) {
    throw storageFailure(`change the time of ${file}`, thrown)
  }
}

// A sync holds one of libuv's four threads while it waits for the disk, so only a few may do so at once; the others wait in order.

/** The same files with at most `limit` (default 2) syncs under way. */
export function boundedSync(files: FileSystemPort, limit = 2): FileSystemPort {
  const waiting: (() => void)[] = []
  let busy = 0

  function next(): void {
    while (busy < limit) {
      const start = waiting.shift()
      if (start === undefined) return
      busy += 1
      start()
    }
  }

  function bounded(name: 'fdatasync' | 'fsync'): FileSystemPort[typeof name] {
    return (descriptor, done) => {
      waiting.push(() =>
        files[name](descriptor, (error) => {
          busy -= 1
          next()
          done(error)
        }),
      )
      next()
    }
  }

  return { ...files, fdatasync: bounded('fdatasync'), fsync: bounded('fsync') }
}
