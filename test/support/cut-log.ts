// A log in memory that records the order of all writes; a test can reopen it after any line.
import { memoryStore } from '../../lib/store/sessions/memory-store.ts'
import type { SessionLog, SessionStore } from '../../lib/streams/ports/session-log.ts'

export interface WrittenLine {
  readonly kind: 'append' | 'checkpoint'
  /** The event that was appended. */
  readonly body: string
}

export interface RecordingStore extends SessionStore {
  /** Every line of all its logs, in order. */
  readonly written: readonly WrittenLine[]
}

export function recordingStore(): RecordingStore {
  const store = memoryStore()
  const written: WrittenLine[] = []
  return {
    ...store,
    written,
    create: (header) => {
      const log = store.create(header)
      const { append, checkpoint } = log
      log.append = (body) => {
        written.push({ kind: 'append', body })
        return append.call(log, body)
      }
      log.checkpoint = (body) => {
        written.push({ kind: 'checkpoint', body })
        checkpoint.call(log, body)
      }
      return log
    },
  }
}

/** A log with these lines, as it is opened after a crash. */
export function logOf(lines: readonly WrittenLine[]): SessionLog {
  const store = memoryStore()
  const id = 'sessionaaaaa'
  const log = store.create({ id, createdAt: 1, cwd: '/somewhere' })
  for (const { kind, body } of lines) {
    if (kind === 'append') log.append(body)
    else log.checkpoint(body)
  }
  return store.open(id).log
}
