// Joins several sources of notes into one, in their order.
import { concat } from 'rxjs'
import type { ContextNotes } from '../../streams/ports/context-notes.ts'

/** Undefined entries are left out. Each `due` is called before each request. */
export function joinNotes(sources: readonly (ContextNotes | undefined)[]): ContextNotes {
  const all = sources.filter((notes) => notes !== undefined)
  return {
    due: (messages) => {
      const due = all.map((notes) => notes.due(messages)).filter((updates$) => updates$ !== undefined)
      return due.length === 0 ? undefined : concat(...due)
    },
    close: () => {
      for (const notes of all) notes.close()
    },
  }
}
