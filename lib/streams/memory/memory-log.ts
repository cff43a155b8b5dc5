// Holds the log of one session in memory, without Node: for a page, or to store the lines elsewhere.
import type { SessionHeader } from '../log/log-line.ts'
import type { NewHeader, SessionLog } from '../ports/session-log.ts'
import { Failure, describeThrown } from '../values/failure.ts'
import { randomIds } from '../values/identifiers.ts'
import { memoryStore } from './page-memory-store.ts'

export interface MemoryLogOptions extends Partial<NewHeader> {
  /** The lines of an earlier log, from line 1 on: the session goes on where they end. Default: a new log. */
  readonly lines?: readonly string[]
  /** Called with each line, line 1 first, before `append` returns: a page can store it. Default: nothing is called. */
  onLine?(line: string): void
}

/**
 * A log whose lines are those of a session's file, with their checksums, so that rxpi on a machine reads them.
 * `memoryStore` is the same for several sessions.
 * @throws Failure `bad_request` if `lines` are no log
 */
export function memoryLog({ lines = [], onLine, ...fields }: MemoryLogOptions = {}): SessionLog {
  const options = onLine === undefined ? {} : { onLine: (line: string) => onLine(line) }
  const { id = randomIds().session(), createdAt = 0, cwd = '/', ...more } = fields
  if (lines.length === 0) return memoryStore([], options).create({ id, createdAt, cwd, ...more })
  try {
    const store = memoryStore([lines], options)
    return store.open((JSON.parse(lines[0] ?? '') as SessionHeader).id).log // the store has checked line 1
  } catch (cause) {
    throw new Failure('bad_request', `${describeThrown(cause)}: start a new log`, { cause })
  }
}
