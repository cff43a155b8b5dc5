// Tests the tree of a session's entries.
import { expect, it } from 'vitest'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { emptySession, foldSession } from '../../../lib/streams/state/fold-session.ts'
import { sessionTree } from '../../../lib/streams/state/session-tree.ts'
import { assistant, sampleEvents, toolResult, user } from '../events/samples.ts'

const end = (entryId: string, parentId: string | null, message = user(entryId) as never): AgentEvent => ({
  type: 'message_end',
  entryId,
  parentId,
  message,
})

it('has every node in the order of the log, with its label, and the path to the head', () => {
  const call = assistant([{ type: 'toolCall', id: 'call_1', name: 'read', arguments: {} }]) as never
  const events: AgentEvent[] = [
    end('a', null),
    end('b', 'a', call),
    end('c', 'b', toolResult({ content: [{ type: 'text', text: 'one\ntwo' }] }) as never),
    { ...sampleEvents.branch_summary, entryId: 's', parentId: 'a', summary: 'Left' },
    end('d', 's'),
    { ...sampleEvents.label, targetEntryId: 'b', label: 'here' },
    { type: 'head_moved', entryId: 's' },
  ]
  const state = events.reduce(
    (each, event, index) => foldSession(each, { event, seq: index + 1, at: 7 }),
    emptySession(),
  )
  const off = { isHead: false, isOnBranch: false }
  const on = { isHead: false, isOnBranch: true }
  expect(sessionTree(state)).toEqual([
    { entryId: 'a', parentId: null, role: 'user', firstWords: 'a', at: 1, seq: 1, ...on },
    {
      entryId: 'b',
      parentId: 'a',
      role: 'assistant',
      firstWords: '',
      tools: ['read'],
      at: 1,
      seq: 2,
      label: 'here',
      ...off,
    },
    { entryId: 'c', parentId: 'b', role: 'toolResult', firstWords: 'one two', tools: ['read'], at: 2, seq: 3, ...off },
    {
      entryId: 's',
      parentId: 'a',
      role: 'branch_summary',
      firstWords: 'Left',
      at: 7,
      seq: 4,
      isHead: true,
      isOnBranch: true,
    },
    { entryId: 'd', parentId: 's', role: 'user', firstWords: 'd', at: 1, seq: 5, ...off },
  ])
})

it.each([
  [{ stopReason: 'aborted', errorMessage: 'Request was\naborted.' } as const, '[Request was aborted.]'],
  [{ stopReason: 'aborted' } as const, '[aborted]'],
  [{ stopReason: 'error', errorMessage: 'no key' } as const, '[no key]'],
  [{}, ''],
])('gives the reason of an answer without text: %j', (more, words) => {
  const state = foldSession(emptySession(), { event: end('a', null, assistant([], more) as never), seq: 1 })
  expect(sessionTree(state)).toMatchObject([{ firstWords: words }])
})

it('shows of a command what was typed', () => {
  const message = { ...user('The text of a skill'), invocation: { kind: 'skill', name: 'skill:pdf', args: 'form.pdf' } }
  const state = foldSession(emptySession(), { event: end('a', null, message as never), seq: 1 })
  expect(sessionTree(state)).toMatchObject([{ firstWords: '/skill:pdf form.pdf' }])
})

it('has what is pinned, and what the model receives of a message', () => {
  const hidden = toolResult({ content: [{ type: 'text', text: '[hidden by the user]' }] }) as never
  const events: AgentEvent[] = [
    end('a', null),
    end('b', 'a'),
    end('c', 'b'),
    end('d', 'c', toolResult({}) as never),
    end('e', 'd'),
    end('f', 'e'),
    { type: 'context_pin', targetEntryId: 'a', pinned: true },
    { type: 'context_edit', targetEntryId: 'd', replacement: hidden },
    { type: 'context_edit', targetEntryId: 'e', replacement: null },
    { type: 'context_edit', targetEntryId: 'f', replacement: user('other') as never },
    {
      ...sampleEvents.compaction,
      ...{ entryId: 's', parentId: 'f', firstKeptEntryId: 'd', carriedEntryIds: ['a'] },
    },
    end('g', 's'),
    { type: 'context_edit', targetEntryId: 'g', replacement: user('g') as never },
  ]
  const state = events.reduce((each, event, index) => foldSession(each, { event, seq: index + 1 }), emptySession())
  expect(sessionTree(state).map(({ entryId, pinned, received }) => [entryId, pinned, received])).toEqual([
    ['a', true, undefined],
    ['b', undefined, 'summarised'],
    ['c', undefined, 'summarised'],
    ['d', undefined, 'hidden'],
    ['e', undefined, 'hidden'],
    ['f', undefined, 'replaced'],
    ['s', undefined, undefined],
    ['g', undefined, undefined],
  ])
})
