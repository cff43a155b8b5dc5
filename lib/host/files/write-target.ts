// Writes text to a path that a person named: a new file, a replaced file, a device or a pipe.
// Guarantees: never a socket, never through a symbolic link, and an existing file stays unless `overwrite` is set.
import { lstatSync, realpathSync } from 'node:fs'
import type { Stats } from 'node:fs'
import path from 'node:path'
import { Failure } from '../../streams/values/failure.ts'
import { isInside } from './resolve-path.ts'
import { errnoOf } from './storage-failure.ts'
import { writeNewFile, writeToDevice, writeToPipe } from './write-pieces.ts'

export interface WriteTargetOptions {
  /** Replaces an existing file. Default: false. */
  readonly overwrite?: boolean
  /** Absolute folders and files that are never written, as rxpi keeps its state there. */
  readonly protectedPaths: readonly string[]
  readonly signal: AbortSignal
}

/**
 * Writes the pieces and returns the number of their UTF-16 units. A file gets mode 0600 and appears whole, with the
 * last piece. A device or a named pipe gets the pieces as it takes them; a pipe without a reader is waited for. An
 * abort or a failure leaves no file behind and the old file as it was.
 * @param file absolute
 * @throws Failure `bad_request` for a path that is not written; `storage` for a folder, or if writing fails
 */
export async function writeTarget(
  file: string,
  pieces: Iterable<string>,
  { overwrite = false, protectedPaths, signal }: WriteTargetOptions,
): Promise<number> {
  const target = path.join(realFolder(file), path.basename(file))
  rejectProtected(file, target, protectedPaths)
  const status = lstatSync(target, { throwIfNoEntry: false })
  if (status?.isFIFO() === true) return writeToPipe(target, pieces, signal)
  if (status?.isCharacterDevice() === true) return writeToDevice(target, pieces, signal)
  if (status !== undefined) rejectExisting(file, status, overwrite)
  return writeNewFile(target, pieces, { overwrite, signal })
}

/** The real path of the file's folder. @throws Failure `bad_request` if a part of the path is a link of a user */
function realFolder(file: string): string {
  for (let part = path.dirname(file); part !== path.dirname(part); part = path.dirname(part)) {
    const status = linkStatus(part, file)
    if (status?.isSymbolicLink() === true && !isSystemLink(part, status)) throw linkFailure(file, part)
  }
  const folder = path.dirname(file)
  try {
    const real = realpathSync(folder)
    if (lstatSync(real).isDirectory()) return real
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOENT' && errnoOf(thrown) !== 'ENOTDIR') throw unreachableFailure(file, thrown)
  }
  throw new Failure('bad_request', `${file} cannot be written: ${folder} is not a folder; create it first`)
}

function linkStatus(part: string, file: string): Stats | undefined {
  try {
    return lstatSync(part, { throwIfNoEntry: false })
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOTDIR') return undefined
    throw unreachableFailure(file, thrown)
  }
}

/** Links of the system, such as /tmp on macOS; another user's program cannot place one there. */
function isSystemLink(link: string, { uid }: Stats): boolean {
  if (['/', '/var'].includes(path.dirname(link))) return true
  return uid === 0 && process.geteuid?.() !== 0
}

/** Checks the real name, and the name as written in case the protected folder is reached by another way. */
function rejectProtected(file: string, target: string, protectedPaths: readonly string[]): void {
  const inside = protectedPaths.some((own) => [own, realName(own)].some((each) => isInside(target, each)))
  if (inside)
    throw new Failure('bad_request', `${file} is not written: rxpi keeps its own files there; name another place`)
  if (lstatSync(`${target}.lock`, { throwIfNoEntry: false }) !== undefined && target.endsWith('.jsonl'))
    throw new Failure('bad_request', `${file} is not written: it is the log of an open session; name another file`)
}

function realName(own: string): string {
  try {
    return realpathSync(own)
  } catch {
    return own // it does not exist yet
  }
}

/** @throws Failure unless it is a file that may be replaced */
function rejectExisting(file: string, status: Stats, overwrite: boolean): void {
  if (status.isSymbolicLink()) throw linkFailure(file, file)
  if (status.isDirectory()) throw new Failure('bad_request', `${file} is a folder; name a file in it`)
  if (status.isSocket()) throw new Failure('bad_request', `${file} is a socket, not a file; name a file`)
  if (status.isBlockDevice()) throw new Failure('bad_request', `${file} is a disk, not a file; name a file`)
  if (overwrite) return
  const message = `${file} exists already; name another file, or add --force to replace it`
  throw new Failure('bad_request', message, { data: { exists: true } })
}

function linkFailure(file: string, link: string): Failure {
  const advice = `name the place that it leads to${link === file ? ', or leave the file out for standard output' : ''}`
  return new Failure('bad_request', `${file} is not written: ${link} is a symbolic link; ${advice}`)
}

function unreachableFailure(file: string, cause: unknown): Failure {
  const errno = errnoOf(cause)
  const message = `${file} cannot be reached; check the rights of its folders`
  return new Failure('storage', message, { cause, data: errno === undefined ? {} : { errno } })
}
