// Reads file states without following links.
// Guarantees: no link is followed at the file or above it, as its target is outside of the folder.
import { lstatSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { nameBytes, parentOf } from './byte-name.ts'
import type { ByteName } from './byte-name.ts'
import type { KnownFile } from './folder-index.ts'

export interface FileStates {
  /** Files and symbolic links; unchanged ones keep the oid of the index. */
  readonly files: ReadonlyMap<ByteName, KnownFile>
  /** Folders among the names: nested repositories and submodules. */
  readonly folders: readonly ByteName[]
  /** Files that no snapshot stores: too large, or not regular. */
  readonly skipped: readonly SkippedFile[]
}

export interface SkippedFile {
  readonly name: ByteName
  readonly size: number
  readonly mtimeMs: number
}

/** Larger files are neither stored nor read. */
export const maxFileBytes = 16 * 2 ** 20

/** Files read in one slice: about 2 ms. */
const slice = 500

/** Reads the state of each name below the folder; leaves out missing ones. */
export async function readFileStates(
  folder: string,
  names: readonly ByteName[],
  known: ReadonlyMap<ByteName, KnownFile>,
  signal: AbortSignal,
): Promise<FileStates> {
  const files = new Map<ByteName, KnownFile>()
  const folders: ByteName[] = []
  const skipped: SkippedFile[] = []
  const isReal = realFolders(folder)
  for (const [position, listed] of names.entries()) {
    if (position % slice === slice - 1) await setImmediate()
    signal.throwIfAborted()
    const name = listed.endsWith('/') ? listed.slice(0, -1) : listed
    const status = isReal(parentOf(name)) ? statusOf(absolutePath(folder, name)) : undefined
    if (status === undefined) continue
    if (status.isDirectory()) folders.push(name)
    else if (isStorable(status)) files.set(name, reuseIfUnchanged(status, known.get(name)))
    else skipped.push({ name, size: status.size, mtimeMs: status.mtimeMs })
  }
  return { files, folders, skipped }
}

/** The file's path, as text if it is plain ASCII, else as bytes. */
export function absolutePath(folder: string, name: ByteName): string | Buffer {
  return /^[\x20-\x7e]*$/.test(name) ? `${folder}/${name}` : nameBytes(name, folder)
}

/** The status of the file or link itself; undefined if there is none. */
export function statusOf(file: string | Buffer): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOTDIR' || errnoOf(thrown) === 'EACCES') return undefined // a file has replaced a folder
    throw thrown
  }
}

/** Returns a check whether a folder's name and all above it, up to `folder`, are folders and no links. */
export function realFolders(folder: string): (name: ByteName) => boolean {
  const known = new Map<ByteName, boolean>([['', true]])
  const isReal = (name: ByteName): boolean => {
    const before = known.get(name)
    if (before !== undefined) return before
    const real = isReal(parentOf(name)) && statusOf(absolutePath(folder, name))?.isDirectory() === true
    known.set(name, real)
    return real
  }
  return isReal
}

/** The recorded fields of a status; the content's oid is not known yet. */
export function toKnownFile({ mode, size, mtimeMs, ctimeMs, ino }: Stats): KnownFile {
  return { mode, oid: '', size, mtimeMs, ctimeMs, ino }
}

function isStorable(status: Stats): boolean {
  return status.isSymbolicLink() || (status.isFile() && status.size <= maxFileBytes)
}

function reuseIfUnchanged(status: Stats, known: KnownFile | undefined): KnownFile {
  const now = toKnownFile(status)
  const isSame =
    known?.mtimeMs === now.mtimeMs &&
    known.ctimeMs === now.ctimeMs &&
    known.size === now.size &&
    known.ino === now.ino &&
    known.mode === now.mode
  return isSame ? known : now
}
