// Files are looked at without following a link, neither their own nor one above them: what a link leads to is not in the folder.
import { lstatSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { nameBytes, parentOf } from './byte-name.ts'
import type { ByteName } from './byte-name.ts'
import type { KnownFile } from './folder-index.ts'

export interface Looked {
  /** Files and symbolic links; those that the index knows unchanged with their oid. */
  readonly files: ReadonlyMap<ByteName, KnownFile>
  /** Folders among the names: nested repositories and submodules. */
  readonly folders: readonly ByteName[]
  /** What is not kept: too large, or no regular file. */
  readonly notKept: readonly NotKept[]
}

export interface NotKept {
  readonly name: ByteName
  readonly size: number
  readonly mtimeMs: number
}

/** Larger files are not kept, nor even read. */
export const maxFileBytes = 16 * 2 ** 20

/** So many are looked at in one go: about 2 ms. */
const slice = 500

/** Looks at each name below the folder; those that are not there are left out. */
export async function lookAtFiles(
  folder: string,
  names: readonly ByteName[],
  known: ReadonlyMap<ByteName, KnownFile>,
  signal: AbortSignal,
): Promise<Looked> {
  const files = new Map<ByteName, KnownFile>()
  const folders: ByteName[] = []
  const notKept: NotKept[] = []
  const isReal = realFolders(folder)
  for (const [position, listed] of names.entries()) {
    if (position % slice === slice - 1) await setImmediate()
    signal.throwIfAborted()
    const name = listed.endsWith('/') ? listed.slice(0, -1) : listed
    const status = isReal(parentOf(name)) ? statusOf(placeOf(folder, name)) : undefined
    if (status === undefined) continue
    if (status.isDirectory()) folders.push(name)
    else if (isKept(status)) files.set(name, knownAs(status, known.get(name)))
    else notKept.push({ name, size: status.size, mtimeMs: status.mtimeMs })
  }
  return { files, folders, notKept }
}

/** Where a name lies, in the form that costs least. */
export function placeOf(folder: string, name: ByteName): string | Buffer {
  return /^[\x20-\x7e]*$/.test(name) ? `${folder}/${name}` : nameBytes(name, folder)
}

/** Its status, not that of what it leads to; undefined where there is nothing. */
export function statusOf(place: string | Buffer): Stats | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false })
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOTDIR' || errnoOf(thrown) === 'EACCES') return undefined // a file where a folder was
    throw thrown
  }
}

/** Says of a folder's name whether it and all above it, up to `folder`, are folders and no links. */
export function realFolders(folder: string): (name: ByteName) => boolean {
  const seen = new Map<ByteName, boolean>([['', true]])
  const isReal = (name: ByteName): boolean => {
    const before = seen.get(name)
    if (before !== undefined) return before
    const real = isReal(parentOf(name)) && statusOf(placeOf(folder, name))?.isDirectory() === true
    seen.set(name, real)
    return real
  }
  return isReal
}

/** What is kept of a status; its content's name is not known yet. */
export function unread({ mode, size, mtimeMs, ctimeMs, ino }: Stats): KnownFile {
  return { mode, oid: '', size, mtimeMs, ctimeMs, ino }
}

function isKept(status: Stats): boolean {
  return status.isSymbolicLink() || (status.isFile() && status.size <= maxFileBytes)
}

function knownAs(status: Stats, known: KnownFile | undefined): KnownFile {
  const now = unread(status)
  const isSame =
    known?.mtimeMs === now.mtimeMs &&
    known.ctimeMs === now.ctimeMs &&
    known.size === now.size &&
    known.ino === now.ino &&
    known.mode === now.mode
  return isSame ? known : now
}
