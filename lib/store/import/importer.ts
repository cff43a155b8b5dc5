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

// What an import could not take over as it was is told line by line, and however many lines there are, the list has an end.

/** One thing that did not become what it was. */
export interface ImportNote {
  /** From 1; 0 = the file as a whole. */
  readonly line: number
  /** What became of what, as in `the reason "deferred" is not one of ours; it became "stop"`. */
  readonly message: string
}

export interface ImportNotes {
  readonly list: readonly ImportNote[]
  /** How many more there were than the list holds. */
  readonly more: number
  add(line: number, message: string): void
}

const longestMessage = 400

/** Keeps the first `limit` notes (default 1,000) and counts the others. */
export function importNotes(limit = 1_000): ImportNotes {
  const list: ImportNote[] = []
  let more = 0
  return {
    list,
    get more() {
      return more
    },
    add: (line, message) => {
      if (list.length >= limit) more += 1
      else
        list.push({ line, message: message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message })
    },
  }
}
