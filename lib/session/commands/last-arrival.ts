// Whoever has gone back to an entry with its files was there again: what the files were there is known from then on.
import type { SessionLog } from '../../streams/ports/session-log.ts'

const types = new Set(['files_restored', 'head_moved'])

/**
 * The `seq` at which conversation and files were at an entry last: that of its own line, or of the move that followed when files
 * were put back for it. A move of the conversation alone does not count, nor a restoring that failed half-way.
 */
export function lastArrival(log: Pick<SessionLog, 'records'>, entryId: string | null, from: number): number {
  let arrival = from
  let restoredAt: number | undefined
  for (const { event, seq = 0 } of log.records(from, types)) {
    if (event.type === 'files_restored') restoredAt = event.toEntryId === entryId ? seq : undefined
    else if (event.type === 'head_moved' && event.entryId === entryId && restoredAt === seq - 1) arrival = seq
  }
  return arrival
}
