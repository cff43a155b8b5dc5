// Remembers what a summary used until a `compaction` records it, for one that fails or is cancelled.
import { tap } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { EventNamed } from '../../streams/events/event.ts'
import type { RoomEvent } from '../ports/run-ports.ts'

export interface SummarySpending {
  /**
   * Passes the events of a compaction through, and remembers the usage of its progress until a `compaction` records it.
   */
  readonly watch: MonoTypeOperatorFunction<RoomEvent>
  /** Returns what is not recorded, once. Undefined: everything is. */
  take(): EventNamed<'summary_usage'> | undefined
}

export function summarySpending(): SummarySpending {
  let spent: EventNamed<'summary_usage'> | undefined
  return {
    watch: tap((event) => {
      if (event.type === 'compaction') spent = undefined
      if (event.type !== 'compaction_progress' || event.usage === undefined) return
      spent = { type: 'summary_usage', reason: event.reason, usage: event.usage }
    }),
    take: () => {
      const taken = spent
      spent = undefined
      return taken
    },
  }
}
