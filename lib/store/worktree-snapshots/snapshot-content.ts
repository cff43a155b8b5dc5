// Reads the content of snapshots by git.
// Guarantees: content comes from rxpi's objects or the repositories' and matches its object id.
import { Failure } from '../../streams/values/failure.ts'
import type { ByteName } from './byte-name.ts'
import { storeCall } from './git-calls.ts'
import { runGit } from './run-git.ts'
import type { GitInput } from './run-git.ts'
import { readNotes } from './snapshot-notes.ts'
import type { SnapshotNotes } from './snapshot-notes.ts'
import type { SnapshotStore } from './snapshot-store.ts'
import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync } from 'node:fs'
import { errnoOf } from '../../host/files/storage-failure.ts'
import type { KnownFile } from './folder-index.ts'
import { maxFileBytes, statusOf, toKnownFile } from './read-file-states.ts'

export interface ContentSource {
  /** Absolute path of git. */
  readonly program: string
  readonly store: SnapshotStore
  /** Object folders of the folder's repositories. Default: none. */
  readonly objects?: readonly string[]
}

/** A file in which two snapshots differ; '' stands for mode and oid of a missing file. */
export interface Difference {
  readonly name: ByteName
  /** As git's trees have it. */
  readonly mode: string
  readonly oid: string
  /** Of the other snapshot. */
  readonly otherMode: string
  readonly otherOid: string
}

/** @throws Failure `bad_request` for a removed snapshot, GitFailure */
export async function notesOf(source: ContentSource, snapshot: string, signal: AbortSignal): Promise<SnapshotNotes> {
  const text = await queryStore(source, ['cat-file', 'blob', `${source.store.refOf(snapshot)}:notes`], signal)
  return readNotes(text.toString('utf8'))
}

/** The changes that turn one snapshot into the other, by name. */
export async function diffTrees(
  source: ContentSource,
  { from, to }: { readonly from: string; readonly to: string },
  signal: AbortSignal,
): Promise<Difference[]> {
  const { store } = source
  const refs = [store.refOf(from), store.refOf(to)]
  if (from === to) return []
  const options = ['-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--no-ext-diff', '--no-textconv']
  const list = await queryStore(source, ['diff-tree', ...options, ...refs, '--', 'files'], signal)
  const parts = list.toString('latin1').split('\0')
  const found: Difference[] = []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [otherMode = '', mode = '', otherOid = '', oid = ''] = (parts[at] ?? '').slice(1).split(' ')
    const name = (parts[at + 1] ?? '').slice('files/'.length)
    found.push({ name, ...presentSide(mode, oid), ...renamed(presentSide(otherMode, otherOid)) })
  }
  return found
}

/** The sizes of contents in bytes, by oid; missing ones are left out. */
export async function sizesOf(
  source: ContentSource,
  oids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const answer = await queryStore(source, ['cat-file', '--batch-check', '--buffer'], signal, oids)
  const sizes = new Map<string, number>()
  for (const line of answer.toString('latin1').split('\n')) {
    const [oid = '', type, size] = line.split(' ')
    if (type === 'blob') sizes.set(oid, Number(size))
  }
  return sizes
}

/** @throws Failure `storage` if one is damaged or gone, GitFailure */
export async function contentsOf(
  source: ContentSource,
  oids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Buffer>> {
  const answer = await queryStore(source, ['cat-file', '--batch', '--buffer'], signal, oids)
  const contents = new Map<string, Buffer>()
  let at = 0
  for (const oid of oids) {
    const end = answer.indexOf(0x0a, at)
    const size = Number(answer.toString('latin1', at, Math.max(at, end)).split(' ')[2])
    const bytes = answer.subarray(end + 1, end + 1 + size)
    if (end === -1 || Number.isNaN(size) || oidOf(bytes) !== oid)
      throw new Failure('storage', `The stored content ${oid} is damaged or missing; nothing more was restored`)
    contents.set(oid, bytes)
    at = end + 1 + size + 1
  }
  return contents
}

function queryStore(
  { program, store, objects = [] }: ContentSource,
  args: readonly string[],
  signal: AbortSignal,
  lines?: readonly string[],
): Promise<Buffer> {
  const call = storeCall(args, store.gitDir, objects)
  const write = lines && ((input: GitInput): Promise<void> => input([...lines, ''].join('\n')))
  return runGit({ program, ...call, cwd: store.gitDir, signal, write })
}

function presentSide(mode: string, oid: string): { readonly mode: string; readonly oid: string } {
  return mode === '000000' ? { mode: '', oid: '' } : { mode, oid }
}

function renamed({ mode, oid }: { readonly mode: string; readonly oid: string }) {
  return { otherMode: mode, otherOid: oid }
}

// Reads a file with its status at opening: if it changes while it is read, the status no longer matches.

interface Content {
  /** Includes its oid. */
  readonly file: KnownFile
  readonly bytes: Buffer
}

/** Milliseconds within which another change might keep the time: file systems have coarse clocks. */
const coarseClockMs = 2_000

/**
 * Reads a regular file, or a symbolic link without following it. Undefined if it is gone or has changed its type;
 * `unreadable` if the system refuses.
 */
export function readContent(file: string | Buffer): Content | 'unreadable' | undefined {
  try {
    const status = statusOf(file)
    if (status?.isSymbolicLink() === true) return content(toKnownFile(status), readlinkSync(file, 'buffer'))
    return status?.isFile() === true ? readRegular(file) : undefined
  } catch (thrown) {
    const errno = errnoOf(thrown)
    if (errno === 'ENOENT' || errno === 'ENOTDIR' || errno === 'ELOOP' || errno === 'EINVAL') return undefined
    return 'unreadable'
  }
}

/** Git's object id of this content. */
export function oidOf(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

function readRegular(file: string | Buffer): Content | undefined {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const status = fstatSync(descriptor)
    if (!status.isFile() || status.size > maxFileBytes) return undefined
    return content(toKnownFile(status), readFileSync(descriptor))
  } finally {
    closeSync(descriptor)
  }
}

function content(file: KnownFile, bytes: Buffer): Content {
  const isRecent = Math.max(file.mtimeMs, file.ctimeMs) > Date.now() - coarseClockMs
  return { bytes, file: { ...file, oid: oidOf(bytes), ...(isRecent ? { mtimeMs: -1 } : {}) } }
}
