// Tests which messages of a branch form the context.
import { describe, expect, it } from 'vitest'
import { contextMessages } from '../../../lib/streams/state/context-messages.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { emptySession, foldSession } from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import { sampleEvents, user } from '../events/samples.ts'

const messageEnd = (entryId: string, parentId: string | null): AgentEvent => ({
  type: 'message_end',
  entryId,
  parentId,
  message: user(entryId),
})
const compaction = (entryId: string, parentId: string, firstStoredEntryId: string | null): AgentEvent => ({
  ...sampleEvents.compaction,
  entryId,
  parentId,
  firstKeptEntryId: firstStoredEntryId,
  summary: `until ${entryId}`,
})
const branchSummary = (entryId: string, parentId: string | null): AgentEvent => ({
  ...sampleEvents.branch_summary,
  entryId,
  parentId,
  summary: `left at ${entryId}`,
})

function foldEvents(events: readonly AgentEvent[]): SessionState {
  return events.reduce((state, event, index) => foldSession(state, { event, seq: index + 1, at: 5 }), emptySession())
}
/** The texts of messages; of a summary its last line. */
function textsAt(state: SessionState, entryId?: string | null): unknown[] {
  return contextMessages(state, entryId).map(({ content }) =>
    typeof content === 'string' ? content.split('\n').at(-1) : content,
  )
}

describe('the messages at an entry', () => {
  it('are those from the root to the entry', () => {
    const state = foldEvents([messageEnd('a', null), messageEnd('b', 'a'), messageEnd('c', 'a')])
    expect([textsAt(state), textsAt(state, 'b'), textsAt(state, null), textsAt(state, 'gone')]).toEqual([
      ['a', 'c'],
      ['a', 'b'],
      [],
      [],
    ])
  })

  it.each([1, 2, 3, 5, 8])('are there once each if the log has a cycle of %i', (length) => {
    const ids = Array.from({ length: length + 4 }, (_, index) => `n${index}`)
    // the first entry of the cycle has its last one as parent
    const state = foldEvents(
      ids.map((id, index) => messageEnd(id, index === 0 ? (ids[length - 1] ?? null) : (ids[index - 1] ?? null))),
    )
    expect(textsAt(state)).toEqual(ids)
  })

  it('contain the summary of an abandoned branch at the beginning of the new one', () => {
    const state = foldEvents([
      messageEnd('a', null),
      messageEnd('b', 'a'),
      branchSummary('s', 'a'),
      messageEnd('c', 's'),
    ])
    expect([textsAt(state), textsAt(state, 'b')]).toEqual([
      ['a', 'left at s', 'c'],
      ['a', 'b'],
    ])
    expect(contextMessages(state)[1]).toEqual({
      role: 'user',
      content: 'Another branch of this conversation was left for this one. What happened there:\n\nleft at s',
      timestamp: 5,
    })
  })

  it.each<[string | null, string[]]>([
    ['b', ['until x', 'b', 'c', 'd']],
    ['a', ['until x', 'a', 'b', 'c', 'd']],
    ['c', ['until x', 'c', 'd']],
    [null, ['until x', 'd']],
    ['gone', ['until x', 'a', 'b', 'c', 'd']],
  ])('behind a compaction that kept from %s are %j', (firstStored, messages) => {
    const before = [messageEnd('a', null), messageEnd('b', 'a'), messageEnd('c', 'b')]
    expect(textsAt(foldEvents([...before, compaction('x', 'c', firstStored), messageEnd('d', 'x')]))).toEqual(messages)
  })

  it('begin with the last compaction of the branch only [EVENT-compaction]', () => {
    const twice = [
      messageEnd('a', null),
      compaction('x', 'a', null),
      messageEnd('b', 'x'),
      compaction('y', 'b', 'a'),
      messageEnd('c', 'y'),
    ]
    expect(textsAt(foldEvents(twice))).toEqual(['until y', 'a', 'b', 'c'])
    expect(textsAt(foldEvents(twice), 'b')).toEqual(['until x', 'b'])
  })

  it('are found in a log whose parents form a circle', () => {
    expect(textsAt(foldEvents([messageEnd('a', 'b'), messageEnd('b', 'a')]))).toHaveLength(2)
  })
})
