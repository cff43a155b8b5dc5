// Stores sessions in memory without Node, for a page.
import type { SessionStore } from '../ports/session-log.ts'
import { checkHeaderText, checkLineText, headerOf, wrongChecksum } from '../validation/check-line.ts'
import { createMemoryStore } from './create-memory-store.ts'
import type { MemoryStoreOptions } from './create-memory-store.ts'
import type { LineFormat } from './log-in-memory.ts'
import { sealText, textIsSealed } from './seal-text.ts'

/** Lines are those of a session's file, checksums included, so that a machine can read them. */
const format: LineFormat = {
  seal: sealText,
  parseLine: (line) => (textIsSealed(line) ? checkLineText(line) : wrongChecksum),
  parseHeader: (line) => checkHeaderText(line, () => textIsSealed(line)),
  newHeader: (fields) => headerOf(fields, sealText),
  folderOf: (cwd) => cwd, // a page has no links and no relative folders
}

/**
 * The `memoryStore` of `rxpi/store`, without Node. Keeps every line of every session in memory until the store is
 * dropped. `latest` and `madeBy` compare working folders as texts.
 * @param saved sessions that another place keeps, each as its lines, the header first; the one that was written to last
 * is last.
 *   Default: none
 * @throws Failure `read_only` for a line that is damaged or not the next one
 */
export function memoryStore(saved: Iterable<readonly string[]> = [], options: MemoryStoreOptions = {}): SessionStore {
  return createMemoryStore(format, saved, options)
}
