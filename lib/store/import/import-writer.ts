// What is imported is appended like anything else: numbered, sealed, in order; only the times are the file's.
import type { AgentEvent } from '../../streams/events/event.ts'
import { contentAside } from '../../streams/log/content-aside.ts'
import { openBody } from '../../streams/log/line-event.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { ImportedEvent } from './importer.ts'

export interface ImportWriter {
  /** Messages that were written whole. */
  readonly messages: number
  /** @throws Failure `storage` */
  write(event: ImportedEvent): void
}

export function importWriter(log: SessionLog): ImportWriter {
  let messages = 0
  return {
    get messages() {
      return messages
    },
    write: ({ at, runId, event }) => {
      if (event.type === 'message_update') log.checkpoint(openBody({ at, event }))
      else log.append(body(log.head + 1, at, runId, log.blobs === undefined ? event : contentAside(event, log.blobs)))
      if (event.type === 'message_end') messages += 1
    },
  }
}

/** As it stands: a result of pi's has no `tool_execution_end` that could hold its content, so its own line does. */
function body(seq: number, at: number, runId: string | undefined, event: AgentEvent): string {
  const run = runId === undefined ? '' : `,"runId":"${runId}"`
  return `{"seq":${seq},"at":${at}${run},"event":${JSON.stringify(event)}`
}
