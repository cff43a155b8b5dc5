// What the last snapshot found of each file, so that only what has changed since is read again; it is never trusted over the files.
import { readFileSync } from 'node:fs'
import type { ByteName } from './byte-name.ts'
import { replacePrivateFile } from '../../host/files/replace-file.ts'

/** A file as it was looked at. */
export interface KnownFile {
  /** As the system has it, kind and permissions. */
  readonly mode: number
  /** Of its content, as git names it; '' while it is not known. */
  readonly oid: string
  readonly size: number
  /** −1: changed so recently that the next change might not show; it is read again. */
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly ino: number
}

export interface FolderIndex {
  /** The snapshot that holds exactly these files; '' where none was finished. */
  readonly snapshot: string
  /** The git tree of its files; '' where there is none. */
  readonly tree: string
  /** Its notes, as text. */
  readonly notes: string
  readonly files: ReadonlyMap<ByteName, KnownFile>
}

const version = 1
export const emptyIndex: FolderIndex = { snapshot: '', tree: '', notes: '', files: new Map() }

type Row = readonly [name: string, mode: number, oid: string, size: number, mtime: number, ctime: number, ino: number]

/** The empty one where there is none, or none that can be read. */
export function readIndex(file: string): FolderIndex {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isIndex(read) ? { ...read, files: new Map(read.files.map(knownFile)) } : emptyIndex
  } catch {
    return emptyIndex // it saves time, and is made again
  }
}

/** @throws Failure `storage` */
export function writeIndex(file: string, { snapshot, tree, notes, files }: FolderIndex): void {
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

/** It is our own file, in a folder of ours: a look at its version is enough. */
function isIndex(value: unknown): value is Omit<FolderIndex, 'files'> & { readonly files: readonly Row[] } {
  return typeof value === 'object' && value !== null && 'version' in value && value.version === version
}
