// Caches the file states of the last snapshot, so that only changed files are read.
// It never overrules the files.
import { readFileSync } from 'node:fs'
import type { ByteName } from './byte-name.ts'
import { replacePrivateFile } from '../../host/files/replace-file.ts'

/** The state of a file when it was read. */
export interface KnownFile {
  /** File type and permissions, as the system reports them. */
  readonly mode: number
  /** Git's object id of its content; '' if not known yet. */
  readonly oid: string
  readonly size: number
  /** −1: changed so recently that another change might keep the time; the file is read again. */
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly ino: number
}

export interface FolderIndex {
  /** The snapshot of exactly these files; '' if none was completed. */
  readonly snapshot: string
  /** The git tree of its files; '' if there is none. */
  readonly tree: string
  /** Its notes, as text. */
  readonly notes: string
  readonly files: ReadonlyMap<ByteName, KnownFile>
}

const version = 1
export const emptyIndex: FolderIndex = { snapshot: '', tree: '', notes: '', files: new Map() }

type Row = readonly [name: string, mode: number, oid: string, size: number, mtime: number, ctime: number, ino: number]

/** The empty index if there is none, or none that can be read. */
export function readFolderIndex(file: string): FolderIndex {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isIndex(read) ? { ...read, files: new Map(read.files.map(knownFile)) } : emptyIndex
  } catch {
    return emptyIndex // a cache that is rebuilt
  }
}

/** @throws Failure `storage` */
export function writeFolderIndex(file: string, { snapshot, tree, notes, files }: FolderIndex): void {
  const rows = Array.from(files, ([name, known]): Row => [
    name,
    known.mode,
    known.oid,
    known.size,
    known.mtimeMs,
    known.ctimeMs,
    known.ino,
  ])
  replacePrivateFile(file, JSON.stringify({ version, snapshot, tree, notes, files: rows }), { synced: false })
}

function knownFile([name, mode, oid, size, mtimeMs, ctimeMs, ino]: Row): [ByteName, KnownFile] {
  return [name, { mode, oid, size, mtimeMs, ctimeMs, ino }]
}

/** Written by rxpi in its own folder: checking the version is enough. */
function isIndex(value: unknown): value is Omit<FolderIndex, 'files'> & { readonly files: readonly Row[] } {
  return typeof value === 'object' && value !== null && 'version' in value && value.version === version
}
