// Tests the fold of a session's events into its state.
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { branch, emptySession, foldSession, path, transcript } from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import { assistant, everyEvent, sampleEvents, sampleUsage, toolResult, user } from '../events/samples.ts'
import { foldEvents, start, end } from './fold-session-scene.ts'

const update = (content: string, offset: number, updateType: 'stdout' | 'stderr' = 'stdout'): AgentEvent => ({
  ...sampleEvents.tool_execution_update,
  updateType,
  content,
  offset,
})

describe('foldSession', () => {
  it('starts empty', () => {
    expect(emptySession()).toMatchObject({ seq: 0, headEntryId: null, queue: [], requests: [], jobs: [], deferred: [] })
  })

  it('follows the branch through a compaction and a branch summary, which are nodes of the tree [EVENT-compaction]', () => {
    const nodes = foldEvents([
      end('aaaaaaaa', user('first')),
      { ...sampleEvents.compaction, entryId: 'bbbbbbbb', parentId: 'aaaaaaaa' },
      end('cccccccc', user('second'), 'bbbbbbbb'),
      { ...sampleEvents.branch_summary, entryId: 'dddddddd', parentId: 'cccccccc' },
    ])
    expect(nodes.headEntryId).toBe('dddddddd')
    expect(transcript(nodes)).toEqual([user('first'), user('second')])
  })

  it('keeps the last title and label [EVENT-label]', () => {
    const label = { ...sampleEvents.label, targetEntryId: 'aaaaaaaa' }
    const state = foldEvents([
      { type: 'session_info_change', to: { title: 'One' } },
      { type: 'session_info_change', to: { other: 1 } },
      { ...label, label: 'first' },
      { ...label, targetEntryId: 'bbbbbbbb', label: 'other' },
      { ...label, label: 'second' },
    ])
    expect([state.title, [...state.labels]]).toEqual([
      'One',
      [
        ['aaaaaaaa', 'second'],
        ['bbbbbbbb', 'other'],
      ],
    ])
    expect([...foldEvents([{ ...label, label: null }], state).labels.keys()]).toEqual(['bbbbbbbb'])
    expect(foldEvents([{ type: 'session_info_change', to: { title: '' } }], state).title).toBe('')
  })

  it('terminates on a log whose parents form a circle', () => {
    const circle = foldEvents([end('aaaaaaaa', user('first'), 'bbbbbbbb'), end('bbbbbbbb', user('second'), 'aaaaaaaa')])
    expect(branch(circle)).toHaveLength(2)
  })

  it('has no path to a missing entry, and none beyond one', () => {
    const orphan = foldEvents([end('aaaaaaaa', user('first'), 'zzzzzzzz')])
    expect([path(orphan, 'yyyyyyyy'), path(orphan, 'aaaaaaaa')]).toEqual([[], ['aaaaaaaa']])
  })

  it('records the effect of each command, and how many inputs a clear removed', () => {
    const added = { ...sampleEvents.queue_update, op: 'add', queue: 'steering' } as const
    const cleared: AgentEvent = { type: 'queue_update', op: 'clear', queue: 'steering' }
    let state = emptySession()
    for (const queueId of ['a', 'b']) state = foldSession(state, { event: { ...added, queueId }, opId: 'first' })
    state = foldSession(state, { event: { ...added, queue: 'followUp', queueId: 'c' } })
    state = foldSession(state, { event: cleared, opId: 'second', runId: 'rrrrrrrr' })
    expect([...state.commands.keys()]).toEqual(['first', 'second'])
    expect(state.commands.get('first')).toMatchObject([{ event: { queueId: 'a' } }, { event: { queueId: 'b' } }])
    expect(state.commands.get('second')).toEqual([{ runId: 'rrrrrrrr', event: cleared, cleared: 2 }])
  })

  it('keeps all other state when a job begins or ends', () => {
    const started = foldEvents([end('aaaaaaaa', user('first')), sampleEvents.job_start])
    expect(started.jobs).toHaveLength(1)
    expect(transcript(started)).toEqual([user('first')])
    const ended = foldEvents([sampleEvents.job_end], started)
    expect([ended.jobs, transcript(ended)]).toEqual([[], [user('first')]])
  })

  it('accepts every event type', () => {
    for (const event of everyEvent) {
      const state = foldSession(emptySession(), { event, seq: 7 })
      expect([event.type, state.seq]).toEqual([event.type, 7])
    }
  })

  it('keeps the last seq after events without seq', () => {
    expect(foldEvents([sampleEvents.custom, sampleEvents.custom, sampleEvents.status]).seq).toBe(2)
  })

  it('has the active run and its turn', () => {
    const model = 'p/m'
    expect(foldEvents([sampleEvents.agent_start]).running).toEqual({ runId: 'rrrrrrrr', turnIndex: 0, model })
    const timed = foldSession(emptySession(), { event: sampleEvents.agent_start, runId: 'rrrrrrrr', at: 9 })
    expect(timed.running).toMatchObject({ startedAt: 9 })
    const running = foldEvents([sampleEvents.agent_start, { ...sampleEvents.turn_start, turnIndex: 2 }])
    const unsaid = foldSession(running, { event: { ...sampleEvents.turn_start, turnIndex: 3 } })
    expect(unsaid.running).toEqual({ runId: 'rrrrrrrr', turnIndex: 3, model })
    const joined = foldSession(emptySession(), { event: sampleEvents.turn_start, runId: 'ssssssss' })
    expect(joined.running?.runId).toBe('ssssssss')
    expect(running.running).toEqual({ runId: 'rrrrrrrr', turnIndex: 2, model })
    const ended = foldEvents([sampleEvents.agent_end, sampleEvents.agent_settled], running)
    expect(ended).not.toHaveProperty('running')
    expect(ended.lastEnd).toEqual(sampleEvents.agent_end)
  })

  it('folds the deltas of the open message only', () => {
    const delta = (entryId: string, text: string): AgentEvent => ({
      type: 'message_update',
      entryId,
      delta: { type: 'text_delta', contentIndex: 0, offset: 0, text },
    })
    const open = foldEvents([start('a'), delta('b', 'no'), delta('a', 'yes')])
    expect(open.open?.message.content).toEqual([{ type: 'text', text: 'yes' }])
    expect(foldEvents([delta('a', 'late')], foldEvents([end('a', assistant())], open))).not.toHaveProperty('open')
    const message = user([{ type: 'text', text: '' }])
    const opened = foldEvents([{ type: 'message_start', entryId: 'a', parentId: null, message }])
    expect(foldEvents([delta('a', 'no')], opened)).toEqual(opened)
  })

  it('makes entries a tree whose head is the last message [LOG-tree]', () => {
    const state = foldEvents([
      end('a', user('one')),
      end('b', assistant(), 'a'),
      end('c', user('two'), 'b'),
      { type: 'head_moved', entryId: 'b' },
      end('d', user('other'), 'b'),
    ])
    expect(state.headEntryId).toBe('d')
    expect(branch(state).map(({ entryId, seq }) => [entryId, seq])).toEqual([
      ['a', 1],
      ['b', 2],
      ['d', 5],
    ])
    expect(transcript(state, 'c').map(({ content }) => content)).toEqual(['one', [], 'two'])
    expect(transcript(state, null)).toEqual([])
    const beside = foldEvents([end('e', user('beside'), 'a')], state)
    expect(branch(beside).map(({ entryId }) => entryId)).toEqual(['a', 'e'])
  })

  it('sums the usage of turns', () => {
    const state = foldEvents([sampleEvents.turn_end, sampleEvents.turn_end])
    expect(state.usage.totalTokens).toBe(2 * sampleUsage.totalTokens)
  })

  it('follows changes of model, thinking level and tools', () => {
    const { model_change, thinking_level_change, active_tools_change } = sampleEvents
    expect(foldEvents([sampleEvents.agent_start])).toMatchObject({
      model: 'p/m',
      thinkingLevel: 'low',
      activeTools: ['read'],
    })
    const changed = foldEvents([model_change, thinking_level_change, active_tools_change])
    expect(changed).toMatchObject({ model: 'c/d', thinkingLevel: 'high', activeTools: ['read'] })
  })

  it('drops the open parts of a crashed run when the next one starts', () => {
    const crashed = foldEvents([sampleEvents.agent_start, start('a'), sampleEvents.tool_execution_start])
    expect([crashed.open?.entryId, crashed.tools.size]).toEqual(['a', 1])
    const next = foldEvents([sampleEvents.agent_start], crashed)
    expect([next.open, next.tools.size]).toEqual([undefined, 0])
  })

  it('never changes a state that it returned before', () => {
    const events = [sampleEvents.agent_start, start('a'), sampleEvents.tool_execution_start, update('x', 0)]
    const states = events.map((_, index) => foldEvents(events.slice(0, index)))
    const before = states.map((state) => structuredClone({ ...state, entries: undefined }))
    for (const state of states) foldEvents(events, state)
    expect(states.map((state) => ({ ...state, entries: undefined }))).toEqual(before)
  })
})

describe('foldSession of tools', () => {
  const running = (...events: AgentEvent[]) =>
    foldEvents([sampleEvents.tool_execution_start, ...events]).tools.get('call_1')

  it('keeps live output per kind', () => {
    const tool = running(update('one ', 0), update('err', 0, 'stderr'), update('two', 4))
    expect(tool?.output).toEqual({ stdout: { offset: 0, text: 'one two' }, stderr: { offset: 0, text: 'err' } })
  })

  it.each([
    ['a repeated piece', [update('abc', 0), update('bcd', 1)], { offset: 0, text: 'abcd' }],
    ['a piece that is wholly there', [update('abc', 0), update('b', 1)], { offset: 0, text: 'abc' }],
    ['a gap: it starts anew behind it', [update('abc', 0), update('xyz', 10)], { offset: 10, text: 'xyz' }],
  ])('of %s', (_, updates, output) => {
    expect(running(...updates)?.output).toEqual({ stdout: output })
  })

  it('keeps between 64 and 128 KiB of the end of long output, and records the length of the rest', () => {
    const line = 'x'.repeat(1_000)
    const updates = Array.from({ length: 500 }, (_, index) => update(line, index * 1_000))
    const { offset = 0, text = '' } = running(...updates)?.output['stdout'] ?? {}
    expect(offset + text.length).toBe(500_000)
    expect(text.length).toBeGreaterThanOrEqual(65_536)
    expect(text.length).toBeLessThanOrEqual(131_072)
  })

  it('never splits a character when it drops the beginning', () => {
    const text = running(update(`${'😀'.repeat(70_000)}b`, 0))?.output['stdout']?.text ?? ''
    expect(text.isWellFormed()).toBe(true)
    expect(text.length).toBeGreaterThan(65_000)
  })

  it('ignores output and end of a call without a start', () => {
    expect(foldEvents([update('x', 0), sampleEvents.tool_execution_end]).tools.size).toBe(0)
  })

  it('holds a call until its result message has ended', () => {
    const ended = [sampleEvents.tool_execution_start, sampleEvents.tool_execution_end]
    expect(foldEvents(ended).tools.get('call_1')?.end).toEqual(sampleEvents.tool_execution_end)
    expect(foldEvents([...ended, end('r', toolResult())]).tools.size).toBe(0)
  })
})

describe('foldSession of queues', () => {
  const add = (queueId: string, queue: 'steering' | 'followUp' = 'steering'): AgentEvent => ({
    type: 'queue_update',
    queue,
    op: 'add',
    queueId,
    content: queueId,
  })
  const ids = (state: SessionState) => state.queue.map(({ queueId }) => queueId)

  it('adds, edits, takes, removes and clears by id [EVENT-queue_update]', () => {
    const three = foldEvents([add('a'), add('b', 'followUp'), add('c')])
    expect(ids(three)).toEqual(['a', 'b', 'c'])
    const edited = foldEvents([{ ...sampleEvents.queue_update, op: 'edit', queueId: 'c', content: 'new' }], three)
    expect(edited.queue[2]).toEqual({ queueId: 'c', queue: 'steering', content: 'new' })
    expect(ids(foldEvents([{ ...sampleEvents.queue_update, op: 'take', queueId: 'a' }], three))).toEqual(['b', 'c'])
    expect(ids(foldEvents([{ ...sampleEvents.queue_update, op: 'remove', queueId: 'b' }], three))).toEqual(['a', 'c'])
    expect(ids(foldEvents([{ type: 'queue_update', op: 'clear', queue: 'steering' }], three))).toEqual(['b'])
  })

  it('counts an input as delivered when its message has ended, with or without a stored take', () => {
    const delivering = foldEvents([add('a'), add('b'), { ...sampleEvents.message_start, queueId: 'a' }])
    expect(ids(delivering)).toEqual(['a', 'b'])
    const { entryId } = sampleEvents.message_start
    expect(ids(foldEvents([end(entryId, user())], delivering))).toEqual(['b'])
  })
})
