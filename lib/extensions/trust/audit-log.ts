// Appends to `extension-audit.jsonl`, the log of decisions about extensions, and reads its end.
// Guarantees: lines are only added, each in one write; a private file (0600); an incomplete last line stays alone.
import { closeSync, constants, fchmodSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import path from 'node:path'
import { ensurePrivateFolder } from '../../host/files/private-files.ts'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import type { ExtensionAuditEntry } from '../../streams/commands/extension-commands.ts'
import { isRecord } from '../../streams/values/json.ts'

/** Bytes that are read at a time, and at most: an older part of a longer file is not searched. */
const blockBytes = 1_048_576
const maxBytes = 64 * blockBytes
/** Characters of a reason or a detail. */
const maxText = 500

export function extensionAuditFile(home: string): string {
  return path.join(home, 'extension-audit.jsonl')
}

/** @param isSynced true: the line is on the disk when this returns @throws Failure `storage` */
export function appendAudit(home: string, entry: ExtensionAuditEntry, isSynced: boolean): void {
  const file = extensionAuditFile(home)
  ensurePrivateFolder(home)
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    const descriptor = openSync(file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
    try {
      const { mode, size } = fstatSync(descriptor)
      if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw new Error('it is not a regular file')
      if ((mode & 0o777) !== 0o600) fchmodSync(descriptor, 0o600)
      const start = endsWithNewline(descriptor, size) ? '' : '\n'
      const line = Buffer.from(`${start}${JSON.stringify(shortened(entry))}\n`)
      if (writeSync(descriptor, line) !== line.length) throw new Error('the line was written in part')
      if (isSynced) fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (thrown) {
    throw storageFailure(`write ${file}`, thrown)
  }
}

export interface AuditQuery {
  /** Only entries with this id or name. Default: all. */
  readonly extension?: string | undefined
  readonly limit: number
}

export interface AuditPage {
  /** Oldest first. */
  readonly entries: ExtensionAuditEntry[]
  /** True if there are older entries. */
  readonly more: boolean
}

/** The last entries; lines that are no entries are left out. @throws Failure `storage` */
export function readAudit(home: string, { extension, limit }: AuditQuery): AuditPage {
  const file = extensionAuditFile(home)
  const newestFirst: ExtensionAuditEntry[] = []
  try {
    for (const line of linesFromEnd(file)) {
      const entry = parseEntry(line)
      if (entry === undefined || !isAbout(entry, extension)) continue
      if (newestFirst.length === limit) return { entries: newestFirst.toReversed(), more: true }
      newestFirst.push(entry)
    }
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOENT') throw storageFailure(`read ${file}`, thrown)
  }
  return { entries: newestFirst.toReversed(), more: false }
}

function isAbout({ id, name }: ExtensionAuditEntry, extension: string | undefined): boolean {
  return extension === undefined || extension === id || extension === name
}

function* linesFromEnd(file: string): Generator<string, void> {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { size } = fstatSync(descriptor)
    let rest: Buffer = Buffer.alloc(0)
    for (let end = size; end > 0 && size - end < maxBytes;) {
      const block = Buffer.alloc(Math.min(blockBytes, end))
      end -= block.length
      readSync(descriptor, block, 0, block.length, end)
      const joined = Buffer.concat([block, rest])
      const first = end === 0 ? -1 : joined.indexOf(10)
      rest = end === 0 ? Buffer.alloc(0) : joined.subarray(0, first === -1 ? joined.length : first + 1)
      if (end !== 0 && first === -1) continue
      yield* joined
        .subarray(first + 1)
        .toString('utf8')
        .split('\n')
        .reverse()
    }
  } finally {
    closeSync(descriptor)
  }
}

function endsWithNewline(descriptor: number, size: number): boolean {
  if (size === 0) return true
  const last = Buffer.alloc(1)
  readSync(descriptor, last, 0, 1, size - 1)
  return last[0] === 10
}

function shortened(entry: ExtensionAuditEntry): ExtensionAuditEntry {
  const short = (text: string): string => (text.length <= maxText ? text : `${text.slice(0, maxText)}…`)
  return {
    ...entry,
    ...(entry.reason === undefined ? {} : { reason: short(entry.reason) }),
    ...(entry.detail === undefined ? {} : { detail: short(entry.detail) }),
  }
}

function parseEntry(line: string): ExtensionAuditEntry | undefined {
  if (line === '') return undefined
  try {
    const value: unknown = JSON.parse(line)
    return isEntry(value) ? value : undefined
  } catch {
    return undefined // a line that a crash cut off
  }
}

function isEntry(value: unknown): value is ExtensionAuditEntry {
  return isRecord(value) && typeof value['time'] === 'number' && typeof value['id'] === 'string'
}
