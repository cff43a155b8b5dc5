// Tests the counts of what a model receives instead of messages.
import { expect, it } from 'vitest'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { emptySession, foldSession } from '../../../lib/streams/state/fold-session.ts'
import { countContextChanges } from '../../../lib/streams/state/received-messages.ts'
import { sampleEvents, user } from '../events/samples.ts'

const end = (entryId: string, parentId: string | null): AgentEvent => ({
  type: 'message_end',
  entryId,
  parentId,
  message: user(entryId),
})
const counts = (events: readonly AgentEvent[]) =>
  countContextChanges(
    events.reduce((state, event, index) => foldSession(state, { event, seq: index + 1 }), emptySession()),
  )

it('counts on the branch of the head alone', () => {
  const talk = [end('a', null), end('b', 'a'), end('c', 'b'), end('d', 'c')]
  const changes: AgentEvent[] = [
    { ...sampleEvents.compaction, ...{ entryId: 's', parentId: 'd', firstKeptEntryId: 'c', carriedEntryIds: [] } },
    { type: 'context_pin', targetEntryId: 'd', pinned: true },
    { type: 'context_edit', targetEntryId: 'c', replacement: null },
    { type: 'context_edit', targetEntryId: 'd', replacement: user('other') },
  ]
  expect(counts(talk)).toBeUndefined()
  expect(counts([...talk, ...changes])).toEqual({ summarised: 2, pinned: 1, hidden: 1, replaced: 1 })
  expect(counts([...talk, ...changes, { type: 'head_moved', entryId: 'b' }])).toBeUndefined()
})
