// A lock file says which process it belongs to; what cannot be read as that may be one that is being written just now.
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { createPrivateFile } from '../../host/files/private-files.ts'
import type { ProcessIdentity } from '../../host/process/process-identity.ts'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import { parsedJson } from '../lines/parse-line.ts'

/** What a lock file holds, as JSON. */
export interface LockHolder extends ProcessIdentity {
  /** Where the holder can be reached. */
  readonly socket?: string
}

export interface FoundLock {
  readonly text: string
  /** Absent where the text is no lock's. */
  readonly holder?: LockHolder
  /** Milliseconds since it was written. */
  readonly ageMs: number
}

/** What stands there; `undefined` where nothing does. @throws Failure `storage` */
export function readLockFile(file: string): FoundLock | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const text = readFileSync(descriptor, 'utf8')
    const ageMs = Math.abs(Date.now() - fstatSync(descriptor).mtimeMs)
    const holder = holderIn(text)
    return { text, ageMs, ...(holder === undefined ? {} : { holder }) }
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return undefined
    throw storageFailure(`read the lock ${file}`, thrown)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** False where something has that name already. @throws Failure `storage` */
export function createLockFile(file: string, text: string): boolean {
  let descriptor: number
  try {
    descriptor = createPrivateFile(file)
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') return false
    throw thrown
  }
  try {
    writeFileSync(descriptor, text) // all of it
  } catch (thrown) {
    unlinkSync(file)
    throw storageFailure(`write the lock ${file}`, thrown)
  } finally {
    closeSync(descriptor)
  }
  return true
}

/** Puts a lock in another's place, in one step; by one process at a time. @throws Failure `storage` */
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

function holderIn(text: string): LockHolder | undefined {
  const value = parsedJson(text)
  if (typeof value !== 'object' || value === null) return undefined
  const { pid, startTime, bootId, socket }: Partial<Record<keyof LockHolder, unknown>> = value
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return undefined
  if (typeof startTime !== 'string' || typeof bootId !== 'string') return undefined
  return { pid, startTime, bootId, ...(typeof socket === 'string' ? { socket } : {}) }
}
