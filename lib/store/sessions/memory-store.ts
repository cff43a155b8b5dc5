// Stores sessions in memory on Node, whose own checksums are faster.
import { createMemoryStore } from '../../streams/memory/create-memory-store.ts'
import type { MemoryStoreOptions } from '../../streams/memory/create-memory-store.ts'
import type { SessionStore } from '../../streams/ports/session-log.ts'
import { sealLine } from '../lines/line-checksum.ts'
import { newHeader, parseHeader } from '../lines/parse-header.ts'
import { parseLine } from '../lines/parse-line.ts'
import { sessionFolder } from './session-folder.ts'

/**
 * Keeps every line of every session in memory until the store is dropped.
 * @param saved sessions that another place keeps, each as its lines, the header first; the one that was written to last
 * is last.
 *   Default: none
 * @throws Failure `read_only` for a line that is damaged or not the next one
 */
export function memoryStore(saved: Iterable<readonly string[]> = [], options: MemoryStoreOptions = {}): SessionStore {
  const format = {
    seal: sealLine,
    parseLine: (line: string) => parseLine(Buffer.from(line)),
    parseHeader: (line: string) => parseHeader(Buffer.from(line)),
    newHeader,
    folderOf: sessionFolder,
  }
  return createMemoryStore(format, saved, options)
}
