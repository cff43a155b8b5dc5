// Sessions that live as long as the store: for `--no-session` and for programs that want nothing on their disk.
import { Failure } from '../streams/failure.ts'
import type { SessionStore } from '../streams/session-log.ts'
import { MemoryLog } from './memory-log.ts'
import type { MemoryFile } from './memory-log.ts'
import { newHeader } from './new-header.ts'
import { sessionFolder } from './session-folder.ts'

/** Keeps every line of every session in memory until the store itself is dropped. */
export function memoryStore(): SessionStore {
  const kept = new Map<string, MemoryFile>() // in the order in which they were written to last

  function logOf(file: MemoryFile): MemoryLog {
    const { id } = file.header
    return new MemoryLog(file, () => {
      kept.delete(id)
      kept.set(id, file)
    })
  }

  return {
    create(fields) {
      const { header, headerLine } = newHeader(fields)
      if (kept.has(header.id))
        throw new Failure('storage', `There is a session ${header.id} already; choose another id`)
      const file: MemoryFile = { header, headerLine, lines: [], checkpoints: [] }
      kept.set(header.id, file)
      return logOf(file)
    },
    open(sessionId) {
      const file = kept.get(sessionId)
      if (file === undefined) throw new Failure('unknown_session', `There is no session ${JSON.stringify(sessionId)}`)
      const log = logOf(file)
      return { log, warnings: [], checkpoints: log.checkpoints() }
    },
    latest(cwd) {
      const folder = sessionFolder(cwd)
      return [...kept.values()].findLast(({ header }) => sessionFolder(header.cwd) === folder)?.header.id
    },
  }
}
