// Writes a snapshot of a worktree's files by git's fast-import.
// Guarantees: it exists whole or not at all, as git's fast-import names it last.
import { setImmediate } from 'node:timers/promises'
import { quotedName } from './byte-name.ts'
import type { ByteName } from './byte-name.ts'
import type { FolderIndex, KnownFile } from './folder-index.ts'
import type { Gathered } from './gather-files.ts'
import { storeCall } from './git-calls.ts'
import { absolutePath } from './read-file-states.ts'
import { oidOf, readContent } from './snapshot-content.ts'
import { runGit } from './run-git.ts'
import type { GitInput } from './run-git.ts'
import { gitModeOf, makeNotes, writeNotes } from './snapshot-notes.ts'
import type { SnapshotStore } from './snapshot-store.ts'

export interface WriteOptions {
  readonly program: string
  /** Absolute real path. */
  readonly folder: string
  readonly store: SnapshotStore
  /** The index of the last snapshot. */
  readonly index: FolderIndex
  /** True if the remaining work is to be left for the next snapshot. */
  isLate(): boolean
  readonly signal: AbortSignal
}

/** Most bytes that one snapshot may add. */
export const maxNewBytes = 256 * 2 ** 20

/** The new content exceeds `maxNewBytes`. */
export class TooManyBytes extends Error {
  override readonly name = 'TooManyBytes'
}

/** Milliseconds of reading before other work runs. */
const sliceMs = 5
/** For more unread files than this, git first reports which contents a repository already has. */
const maxUnqueried = 64

/**
 * Writes the missing content of the gathered files and names the snapshot. If it becomes late, the index keeps what was
 * read and `snapshot` is ''.
 */
export async function writeSnapshot(gathered: Gathered, options: WriteOptions): Promise<FolderIndex> {
  const work = { ...options, ...gathered, available: new Set<string>() }
  const same = findUnchanged(work)
  if (same !== undefined) return same
  const unread = [...gathered.files].filter(([, { oid }]) => oid === '').map(([name]) => name)
  if (unread.length > maxUnqueried && gathered.objects.length > 0 && !(await findAvailable(unread, work)))
    return partialIndex(work)
  return importFiles(unread, work)
}

interface Work extends WriteOptions, Gathered {
  /** Object ids of the contents that a repository or rxpi already has. */
  readonly available: Set<string>
}

/** Reads the files and queries which contents a repository has. False if that took too long. */
async function findAvailable(unread: readonly ByteName[], work: Work): Promise<boolean> {
  const { files, program, store, signal, objects, available, isLate } = work
  const oids = new Set<string>()
  const yieldIfDue = yieldToEventLoop(signal)
  for (const name of unread) {
    if (isLate()) break
    await yieldIfDue()
    const oid = refreshFile(name, work)?.oid
    if (oid !== undefined) oids.add(oid)
  }
  const call = storeCall(['cat-file', '--batch-check', '--buffer'], store.gitDir, objects)
  const write = (input: GitInput): Promise<void> => input([...oids, ''].join('\n'))
  const answer = await runGit({ program, ...call, cwd: store.gitDir, signal, write })
  for (const line of answer.toString('latin1').split('\n'))
    if (line.includes(' blob ')) available.add(line.slice(0, 40))
  for (const name of unread) {
    const file = files.get(name)
    if (file !== undefined && !available.has(file.oid)) files.set(name, { ...file, oid: '' })
  }
  return !isLate()
}

/** Keeps the previous files and those read now: the next snapshot starts from them. */
function partialIndex({ files }: Work): FolderIndex {
  const read = [...files].filter(([, { oid }]) => oid !== '')
  return { snapshot: '', tree: '', notes: '', files: new Map(read) }
}

async function importFiles(unread: readonly ByteName[], work: Work): Promise<FolderIndex> {
  const { program, store, signal, objects, files } = work
  const snapshot = store.newId()
  let finished: FolderIndex | undefined
  const write = async (input: GitInput): Promise<void> => {
    // two writers of the same content would write the same pack and collide
    await input(`blob\ndata ${snapshot.length}\n${snapshot}\n`)
    if (!(await sendContents(unread, work, input))) return input('done\n')
    finished = findUnchanged(work)
    if (finished === undefined) {
      const notes = writeNotes(makeNotes(work))
      finished = { snapshot, tree: '', notes, files }
      await sendTree(snapshot, notes, work, input)
    }
    return input('done\n')
  }
  const call = storeCall(['fast-import', '--quiet', '--done'], store.gitDir, objects)
  const answer = await runGit({ program, ...call, cwd: store.gitDir, signal, write })
  if (finished === undefined) return partialIndex(work)
  const tree = /^040000 tree ([0-9a-f]{40})/m.exec(answer.toString('latin1'))?.[1]
  return finished.snapshot === snapshot ? { ...finished, tree: tree ?? '' } : finished
}

/** Sends the missing contents. False if that took too long. */
async function sendContents(unread: readonly ByteName[], work: Work, input: GitInput): Promise<boolean> {
  const { files, available, folder, isLate, signal } = work
  const yieldIfDue = yieldToEventLoop(signal)
  let bytes = 0
  for (const name of unread) {
    if (files.get(name)?.oid !== '') continue
    if (isLate()) return false
    await yieldIfDue()
    const content = readInto(name, work)
    if (content === undefined || available.has(oidOf(content))) continue
    bytes += content.length
    if (bytes > maxNewBytes) throw new TooManyBytes(folder)
    await input(`blob\ndata ${content.length}\n`)
    await input(content)
    await input('\n')
    available.add(oidOf(content))
  }
  return true
}

async function sendTree(snapshot: string, notes: string, work: Work, input: GitInput): Promise<void> {
  const { index, files, store } = work
  const hasBase = index.tree !== '' && store.has(index.snapshot)
  const before = hasBase ? index.files : new Map<ByteName, KnownFile>()
  const bytes = Buffer.from(notes)
  await input(`commit refs/snapshots/${snapshot}\ncommitter rxpi <> ${snapshot.slice(0, 10)} +0000\ndata 0\n`)
  await input(`M 100644 inline notes\ndata ${bytes.length}\n`)
  await input(bytes)
  await input(hasBase ? `\nM 040000 ${index.tree} files\n` : '\n')
  let lines = ''
  for (const name of before.keys()) if (!files.has(name)) lines += `D ${quotedName(`files/${name}`)}\n`
  for (const [name, file] of files) {
    if (!isChanged(before.get(name), file)) continue
    lines += `M ${gitModeOf(file.mode)} ${file.oid} ${quotedName(`files/${name}`)}\n`
    if (lines.length < 65_536) continue
    await input(lines)
    lines = ''
  }
  await input(`${lines}ls "files"\n\n`)
}

/** The last snapshot, if it holds the current files: it has a name already. */
function findUnchanged(work: Work): FolderIndex | undefined {
  const { index, store, files } = work
  if (index.snapshot === '' || !store.has(index.snapshot) || index.files.size !== files.size) return undefined
  for (const [name, file] of files) if (file.oid === '' || isChanged(index.files.get(name), file)) return undefined
  return writeNotes(makeNotes(work)) === index.notes ? { ...index, files } : undefined
}

function isChanged(before: KnownFile | undefined, now: KnownFile): boolean {
  return before?.oid !== now.oid || gitModeOf(before.mode) !== gitModeOf(now.mode)
}

/** Reads a file again and updates its state; undefined if nothing of it is stored. */
function refreshFile(name: ByteName, { folder, files, skipped }: Work): KnownFile | undefined {
  const read = readContent(absolutePath(folder, name))
  return recordFile(name, read, files, skipped)?.file
}

function readInto(name: ByteName, { folder, files, skipped }: Work): Buffer | undefined {
  const read = readContent(absolutePath(folder, name))
  return recordFile(name, read, files, skipped)?.bytes
}

type Read = ReturnType<typeof readContent>

function recordFile(name: ByteName, read: Read, files: Gathered['files'], skipped: Gathered['skipped']) {
  if (typeof read === 'object') {
    files.set(name, read.file)
    return read
  }
  const { size = 0, mtimeMs = 0 } = files.get(name) ?? {}
  if (read === 'unreadable') skipped.push({ name, size, mtimeMs })
  files.delete(name)
  return undefined
}

/** Returns a function that yields to the event loop if it ran for `sliceMs` since the last time. */
function yieldToEventLoop(signal: AbortSignal): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < sliceMs) return
    await setImmediate()
    signal.throwIfAborted()
    since = performance.now()
  }
}
