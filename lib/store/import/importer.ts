// What every format of a session gives when it is read: events of ours in the order in which they are written.
import type { AgentEvent } from '../../streams/events/event.ts'
import { customTypes } from './custom-types.ts'
import type { ForeignLine } from './foreign-lines.ts'

export interface ImportedEvent {
  /** Unix milliseconds. */
  readonly at: number
  readonly runId?: string
  readonly event: AgentEvent
}

/** Reads one file, line by line; what it could not take over is in the notes that it was given. Never throws. */
export interface Importer {
  /** What a line after the first becomes. */
  line(line: ForeignLine): readonly ImportedEvent[]
}

/** What is written first: where the session came from. Trust and settings never come with it. */
export function originEvent(data: object): AgentEvent {
  return { type: 'custom', customType: customTypes.origin, data }
}
