// Caches the list entries of a session folder, so that unchanged logs are not read again.
// A faulty cache only costs time.
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { replaceFile } from '../../host/files/replace-file.ts'
import { storageFailure } from '../../host/files/storage-failure.ts'
import { openBody } from '../../streams/log/line-event.ts'
import type { IndexedLog, SessionsIndex } from '../../streams/state/session-summary.ts'
import { checkSessionsIndex } from '../../streams/validation/validators.ts'
import { lineIsSealed, sealLine } from '../lines/line-checksum.ts'
import { tryParseJson } from '../lines/parse-line.ts'

const indexName = 'index.json'
/** A larger file is not an index of rxpi: 10,000 sessions take about 8 MiB. */
const maxIndexBytes = 64 * 2 ** 20

/** The folder's known logs by file name; empty if the index is missing, damaged, another user's or not a file. */
export function readSessionIndex(folder: string): Map<string, IndexedLog> {
  const line = readPrivate(path.join(folder, indexName))
  if (line === undefined || !lineIsSealed(line)) return new Map()
  const checked = checkSessionsIndex(tryParseJson(line))
  if (!checked.ok) return new Map()
  const own = checked.value.logs.filter(({ name, facts }) => name.endsWith(`_${facts.id}.jsonl`))
  return new Map(own.map((log) => [log.name, log]))
}

/**
 * Replaces the folder's index, mode 0600. Of two concurrent writers the last one wins; the other's entries are read
 * again when needed. @throws Failure `storage`
 */
export async function writeSessionIndex(
  folder: string,
  logs: readonly IndexedLog[],
  signal: AbortSignal,
): Promise<void> {
  const file = path.join(folder, indexName)
  const index: SessionsIndex = { type: 'sessions_index', v: 1, logs: [...logs] }
  try {
    // replacing would write through a link
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) rmSync(file)
    await replaceFile(file, `${sealLine(openBody(index))}\n`, signal, { mode: 0o600, synced: false })
  } catch (thrown) {
    throw storageFailure(`write ${file}`, thrown)
  }
}

/** Removes the index; the next list rebuilds it from the logs. @throws Failure `storage` */
export function removeSessionIndex(folder: string): void {
  const file = path.join(folder, indexName)
  try {
    rmSync(file, { force: true })
  } catch (thrown) {
    throw storageFailure(`remove ${file}`, thrown)
  }
}

/** The file's one line without line feed. */
function readPrivate(file: string): Buffer | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const status = fstatSync(descriptor)
    if (!status.isFile() || status.uid !== process.geteuid?.() || status.size > maxIndexBytes) return undefined
    const bytes = readFileSync(descriptor)
    return bytes.at(-1) === lineFeed ? bytes.subarray(0, -1) : undefined
  } catch {
    return undefined // rebuilt from the logs
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

const lineFeed = 10
