// Sessions that live as long as the store: for `--no-session` and for programs that want nothing on their disk.
import { Subject } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionStore } from '../../streams/ports/session-log.ts'
import { MemoryLog } from '../log/memory-log.ts'
import type { MemoryFile } from '../log/memory-log.ts'
import { newHeader } from '../lines/parse-header.ts'
import { sessionFolder } from './session-folder.ts'

/** Keeps every line of every session in memory until the store itself is dropped. */
export function memoryStore(): SessionStore {
  const kept = new Map<string, MemoryFile>() // in the order in which they were written to last

  function logOf(file: MemoryFile, readOnly = false): MemoryLog {
    const { id } = file.header
    const onWrite = (): void => {
      kept.delete(id)
      kept.set(id, file)
    }
    return new MemoryLog({ file, onWrite, readOnly })
  }

  return {
    create(fields) {
      const { header, headerLine } = newHeader(fields)
      if (kept.has(header.id))
        throw new Failure('storage', `There is a session ${header.id} already; choose another id`)
      const file: MemoryFile = { header, headerLine, lines: [], checkpoints: [], appended$: new Subject() }
      kept.set(header.id, file)
      return logOf(file)
    },
    open(sessionId, { readOnly = false } = {}) {
      const file = kept.get(sessionId)
      if (file === undefined) throw new Failure('unknown_session', `There is no session ${JSON.stringify(sessionId)}`)
      return { log: logOf(file, readOnly), warnings: [] }
    },
    madeBy: (opId, cwd, parent) => {
      const folder = sessionFolder(cwd)
      const headers = [...kept.values()]
        .map(({ header }) => header)
        .filter((each) => sessionFolder(each.cwd) === folder)
      return headers.findLast((each) => each.opId === opId && each.parent?.sessionId === parent)
    },
    latest(cwd) {
      const folder = sessionFolder(cwd)
      return [...kept.values()].findLast(({ header }) => sessionFolder(header.cwd) === folder)?.header.id
    },
  }
}
