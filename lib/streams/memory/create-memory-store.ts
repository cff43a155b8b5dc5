// Stores sessions in memory: for `--no-session`, for a page, and for programs without a disk.
import { Subject } from 'rxjs'
import type { SessionStore } from '../ports/session-log.ts'
import { Failure, describeThrown } from '../values/failure.ts'
import { MemoryLog } from './log-in-memory.ts'
import type { LineFormat, MemoryFile, SaveSync } from './log-in-memory.ts'

export interface MemoryStoreOptions {
  /**
   * Called with each line of each session before the store has it, line 1 (the header, `seq` 0) first: save it
   * elsewhere. If it throws, `create` or `append` fails with `storage`, and the store does not have the line. Not
   * called with checkpoints.
   * Default: nothing is called.
   */
  onLine?(line: string, seq: number, sessionId: string): void
}

/**
 * Keeps every line of every session in memory until the store is dropped.
 * @param saved sessions that another place keeps, each as its lines, the header first; the one that was written to last
 * is last
 * @throws Failure `read_only` for a line that is damaged or not the next one
 */
export function createMemoryStore(
  format: LineFormat,
  saved: Iterable<readonly string[]>,
  { onLine }: MemoryStoreOptions = {},
): SessionStore {
  const files = new Map(Array.from(saved, (lines) => savedFile(format, lines))) // ordered by the last write
  const save: SaveSync = (line, seq, sessionId) => {
    try {
      onLine?.(line, seq, sessionId)
    } catch (cause) {
      throw new Failure('storage', `The line could not be saved: ${describeThrown(cause)}`, { cause })
    }
  }
  const { folderOf } = format

  function logOf(file: MemoryFile, readOnly = false): MemoryLog {
    const { id } = file.header
    const onWrite = (): void => {
      files.delete(id)
      files.set(id, file)
    }
    return new MemoryLog({ format, file, save, onWrite, readOnly })
  }

  return {
    create(fields) {
      const { header, headerLine } = format.newHeader(fields)
      if (files.has(header.id))
        throw new Failure('storage', `There is a session ${header.id} already; choose another id`)
      const file: MemoryFile = { header, headerLine, lines: [], checkpoints: [], appended$: new Subject() }
      save(headerLine, 0, header.id)
      files.set(header.id, file)
      return logOf(file)
    },
    open(sessionId, { readOnly = false } = {}) {
      const file = files.get(sessionId)
      if (file === undefined) throw new Failure('unknown_session', `There is no session ${JSON.stringify(sessionId)}`)
      return { log: logOf(file, readOnly), warnings: [] }
    },
    madeBy: (opId, cwd, parent) => {
      const folder = folderOf(cwd)
      const headers = [...files.values()].map(({ header }) => header).filter((each) => folderOf(each.cwd) === folder)
      return headers.findLast((each) => each.opId === opId && each.parent?.sessionId === parent)
    },
    latest(cwd) {
      const folder = folderOf(cwd)
      return [...files.values()].findLast(({ header }) => folderOf(header.cwd) === folder)?.header.id
    },
  }
}

/** Checks the lines of a saved session; what stands behind a damaged line could not be read. */
function savedFile(
  { parseHeader, parseLine }: LineFormat,
  [headerLine = '', ...lines]: readonly string[],
): [string, MemoryFile] {
  const parsed = parseHeader(headerLine)
  if (!parsed.ok) throw damagedLine(1, parsed.fault === 'damaged' ? parsed.problem : `it has version ${parsed.version}`)
  const { header, line } = parsed
  for (const [index, text] of lines.entries()) {
    const read = parseLine(text)
    if (!read.ok) throw damagedLine(index + 2, read.problem, header.id)
    if (read.record.seq !== index + 1) throw damagedLine(index + 2, `its number is not ${index + 1}`, header.id)
  }
  return [header.id, { header, headerLine: line, lines: [...lines], checkpoints: [], appended$: new Subject() }]
}

function damagedLine(number: number, problem: string, id = 'in memory'): Failure {
  return new Failure('read_only', `Line ${number} of the saved session ${id} is damaged: ${problem}`)
}
