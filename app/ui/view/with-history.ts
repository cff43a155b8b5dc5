// A conversation that is shown again is as its messages say; a call in it that has no result, and no run to bring one, stays without.
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { messageEnded } from './message-ended.ts'
import type { View } from './view.ts'

/** @param entries oldest first */
export function withHistory(view: View, entries: ResultOf<'get_entries'>['entries']): View {
  const told = entries.reduce(messageEnded, view)
  if (told.running !== undefined) return told
  return {
    ...told,
    live: told.live.map((item) => (item.kind === 'tool' && item.state !== 'done' ? { ...item, state: 'done' } : item)),
  }
}
