// The port of a session format's importer: it reads lines and returns events in writing order.
import type { AgentEvent } from '../../streams/events/event.ts'
import { customTypes } from './custom-types.ts'
import type { ForeignLine } from './foreign-lines.ts'

export interface ImportedEvent {
  /** Unix milliseconds. */
  readonly at: number
  readonly runId?: string
  readonly event: AgentEvent
}

/** Reads one file line by line; reports what it could not import in the notes. Never throws. */
export interface Importer {
  /** The events of a line after the first. */
  line(line: ForeignLine): readonly ImportedEvent[]
}

/** The first imported event: the origin. Trust and settings are never imported. */
export function originEvent(data: object): AgentEvent {
  return { type: 'custom', customType: customTypes.origin, data }
}

// Collects notes about what an import changed, line by line, up to a limit.

/** One change made by the import. */
export interface ImportNote {
  /** Counted from 1; 0 = the file as a whole. */
  readonly line: number
  /** The change, as in `the reason "deferred" is unknown to rxpi; it became "stop"`. */
  readonly message: string
}

export interface ImportNotes {
  readonly list: readonly ImportNote[]
  /** Number of notes beyond the limit. */
  readonly more: number
  add(line: number, message: string): void
}

const maxNoteLength = 400

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
        list.push({ line, message: message.length > maxNoteLength ? `${message.slice(0, maxNoteLength)}…` : message })
    },
  }
}
