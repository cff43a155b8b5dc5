// Locks a session for one writing process.
// The creator of `<log>.lock` holds it; one process alone takes over a dead holder's lock.
import { isAlive, ownIdentity } from '../../host/process/process-identity.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { OpenWarning } from '../../streams/ports/session-log.ts'
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { createPrivateFile } from '../../host/files/private-files.ts'
import type { ProcessIdentity } from '../../host/process/process-identity.ts'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import { tryParseJson } from '../lines/parse-line.ts'

export interface LockOptions {
  /** The log's file. */
  readonly file: string
  /** Included in the failure of a refused process. */
  readonly sessionId: string
  /** Socket of this process, for processes that find the session locked. */
  readonly socket?: string
}

export interface SessionLock {
  /** Warns if a damaged lock was ignored. */
  readonly warnings: readonly OpenWarning[]
  /** The ended process whose lock was taken over. Absent: there was none, or it could not be read. */
  readonly deadHolder?: ProcessIdentity | undefined
  /** Removes the lock if this process still holds it. Idempotent. @throws Failure `storage` */
  release(): void
}

/** Milliseconds after which an unreadable lock no longer counts as one that is being written. */
const unreadableMs = 3_000
const attempts = 20

/**
 * Takes the lock of a log, also over from a dead holder (its process has ended, or the machine has restarted).
 * @throws Failure `session_locked` naming the holder, `storage`
 */
export function takeLock(options: LockOptions): SessionLock {
  const lock = `${options.file}.lock`
  const text = textOf({ ...ownIdentity(), ...(options.socket === undefined ? {} : { socket: options.socket }) })
  const taken = take(lock, text, options)
  let held = true
  return {
    ...taken,
    release: () => {
      if (held && readLockFile(lock)?.text === text) removeLockFile(lock)
      held = false
    },
  }
}

/** The living process that holds the log now, if there is one. @throws Failure `storage` */
export function lockHolder(file: string): LockHolder | undefined {
  const holder = readLockFile(`${file}.lock`)?.holder
  return holder !== undefined && isAlive(holder) ? holder : undefined
}

/** The failure that `takeLock` would throw now, if a living process holds the log. @throws Failure `storage` */
export function findLockFailure(options: Pick<LockOptions, 'file' | 'sessionId'>): Failure | undefined {
  const holder = lockHolder(options.file)
  return holder === undefined ? undefined : lockedFailure(holder, options)
}

function textOf(holder: LockHolder): string {
  return `${JSON.stringify(holder)}\n`
}

type Taken = Pick<SessionLock, 'warnings' | 'deadHolder'>

function take(lock: string, text: string, options: LockOptions): Taken {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    // read again: a process that paused between creating and writing the lock may have been taken for dead
    if (createLockFile(lock, text) && readLockFile(lock)?.text === text) return { warnings: [] }
    const found = readLockFile(lock)
    if (found === undefined) continue // released meanwhile
    refuseLive(found, options)
    const taken = takeOver(lock, text, options)
    if (taken !== undefined) return taken
  }
  throw new Failure('session_locked', `The lock ${lock} changes its holder repeatedly; try again`)
}

/**
 * Holds the lock's own lock while it checks once more and renames. Otherwise two processes that found the same dead
 * holder could replace each other's lock.
 */
function takeOver(lock: string, text: string, options: LockOptions): Taken | undefined {
  const guard = `${lock}.takeover`
  take(guard, text, options)
  try {
    const found = readLockFile(lock)
    if (found === undefined) return undefined
    refuseLive(found, options)
    replaceLockFile(lock, text)
    if (readLockFile(lock)?.text !== text) return undefined
    const { holder } = found
    return holder === undefined ? { warnings: [damagedLockWarning(lock)] } : { warnings: [], deadHolder: holder }
  } finally {
    if (readLockFile(guard)?.text === text) removeLockFile(guard)
  }
}

/** @throws Failure `session_locked` if the holder is alive, or may be about to write its identity */
function refuseLive({ holder, ageMs }: FoundLock, options: LockOptions): void {
  if (holder === undefined) {
    if (ageMs < unreadableMs) throw takeoverFailure(options)
    return
  }
  if (isAlive(holder)) throw lockedFailure(holder, options)
}

function lockedFailure(
  { pid, socket }: LockHolder,
  { sessionId, file }: Pick<LockOptions, 'sessionId' | 'file'>,
): Failure {
  const data = { pid, file, ...(socket === undefined ? {} : { socket }) }
  if (pid === process.pid) {
    const message = `Session ${sessionId} is open in this process (${pid}) already; use the open session, or close it first`
    return new Failure('session_locked', message, { data })
  }
  const where = socket === undefined ? `process ${pid}` : `process ${pid} (socket ${socket})`
  const message = `Session ${sessionId} is held by ${where}, and only that process may write to it: continue there, or try again after it has ended; reading works meanwhile`
  return new Failure('session_locked', message, { data })
}

function takeoverFailure({ sessionId, file }: LockOptions): Failure {
  const message = `Session ${sessionId} is being opened by another process at this moment; try again in a few seconds`
  return new Failure('session_locked', message, { data: { file } })
}

function damagedLockWarning(lock: string): OpenWarning {
  const message = `The lock ${lock} named no process and was older than ${unreadableMs / 1_000} s: its process was taken for dead`
  return { code: 'damaged_lock', message, context: { file: lock } }
}

// Reads and writes lock files. An unreadable lock may be one that is being written at this moment.

/** Content of a lock file, as JSON. */
interface LockHolder extends ProcessIdentity {
  /** Socket of the holder. */
  readonly socket?: string
}

interface FoundLock {
  readonly text: string
  /** Absent if the text is not a lock. */
  readonly holder?: LockHolder
  /** Age in milliseconds. */
  readonly ageMs: number
}

/** The lock; `undefined` if there is none. @throws Failure `storage` */
export function readLockFile(file: string): FoundLock | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const text = readFileSync(descriptor, 'utf8')
    const ageMs = Math.abs(Date.now() - fstatSync(descriptor).mtimeMs)
    const holder = parseHolder(text)
    return { text, ageMs, ...(holder === undefined ? {} : { holder }) }
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return undefined
    throw storageFailure(`read the lock ${file}`, thrown)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** False if the name exists. @throws Failure `storage` */
export function createLockFile(file: string, text: string): boolean {
  let descriptor: number
  try {
    descriptor = createPrivateFile(file)
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') return false
    throw thrown
  }
  try {
    writeFileSync(descriptor, text) // every byte
  } catch (thrown) {
    unlinkSync(file)
    throw storageFailure(`write the lock ${file}`, thrown)
  } finally {
    closeSync(descriptor)
  }
  return true
}

/** Replaces a lock atomically; one process at a time may call it. @throws Failure `storage` */
export function replaceLockFile(file: string, text: string): void {
  const beside = `${file}.new`
  removeLockFile(beside) // of a process that died here
  try {
    createLockFile(beside, text)
    renameSync(beside, file)
  } catch (thrown) {
    removeLockFile(beside)
    throw storageFailure(`replace the lock ${file}`, thrown)
  }
}

/** @throws Failure `storage` */
export function removeLockFile(file: string): void {
  try {
    unlinkSync(file)
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOENT') throw storageFailure(`remove the lock ${file}`, thrown)
  }
}

function parseHolder(text: string): LockHolder | undefined {
  const value = tryParseJson(text)
  if (typeof value !== 'object' || value === null) return undefined
  const { pid, startTime, bootId, socket }: Partial<Record<keyof LockHolder, unknown>> = value
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return undefined
  if (typeof startTime !== 'string' || typeof bootId !== 'string') return undefined
  return { pid, startTime, bootId, ...(typeof socket === 'string' ? { socket } : {}) }
}
