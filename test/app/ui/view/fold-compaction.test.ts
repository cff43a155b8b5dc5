// Tests how the view folds compactions, edits and pins.
import { describe, expect, it } from 'vitest'
import type { EventNamed } from '../../../../lib/streams/events/event.ts'
import type { ViewInput } from '../../../../app/ui/view/view-input.ts'
import { sampleEvents, toolResult, user } from '../../../streams/events/samples.ts'
import { answerStarts, entryId, shortly, notices, viewOf } from './view-scene.ts'

const compaction: EventNamed<'compaction'> = {
  ...sampleEvents.compaction,
  ...{ entryId: 'ssssssss', reason: 'manual', summary: 'Goal: x', tokensBefore: 182_000, tokensAfter: 24_000 },
}
const progress = notices({ type: 'compaction_progress', reason: 'manual', tokensBefore: 9, characters: 300 }, 5_000)
const own: ViewInput = { type: 'compacting', since: 7 }
const failed = notices({ type: 'status', code: 'compaction_ended', message: 'no credit', recoverable: true })
const edit = (replacement: EventNamed<'context_edit'>['replacement']): ViewInput =>
  notices({ type: 'context_edit', targetEntryId: entryId, replacement })

describe('a compaction', () => {
  it.each<[string, Partial<EventNamed<'compaction'>>, string]>([
    ['asked for', { messages: 41, reason: 'manual' }, '41 messages were summarised · 182k → 24k tokens'],
    ['of one message', { messages: 1 }, '1 message was summarised · 182k → 24k tokens'],
    ['of an earlier build', {}, 'Earlier messages were summarised · 182k → 24k tokens'],
    [
      'of a full window',
      { messages: 2, reason: 'threshold' },
      '2 messages were summarised · 182k → 24k tokens · the window was nearly full',
    ],
    [
      'after an overflow',
      { messages: 2, reason: 'overflow' },
      '2 messages were summarised · 182k → 24k tokens · the request exceeded the window',
    ],
  ])('%s is a summary that says what was cut and saved [PANEL-compaction]', (_, more, title) => {
    const view = viewOf(progress, notices({ ...compaction, ...more }))
    expect(view.finished).toMatchObject([
      { kind: 'summary', title, text: 'Goal: x', hint: expect.any(String) as string },
    ])
    expect(view).toMatchObject({ contextTokens: 24_000, compaction: 'ssssssss' })
    expect(view.compacting).toBeUndefined()
  })

  it('shows its progress with its start', () => {
    expect(viewOf(progress).compacting).toEqual({ since: 5_000, characters: 300 })
    expect(viewOf(own, progress).compacting).toEqual({ since: 7, characters: 300, isOwn: true })
    expect(viewOf(own, { type: 'stopping', isStopping: true }).compacting).toMatchObject({ isStopping: true })
  })

  it.each<[string, ViewInput]>([
    ['the answer that follows', answerStarts],
    ['a warning', notices({ type: 'warning', code: 'compaction_failed', message: 'no', recoverable: true })],
    ['an edit that was enough', edit(null)],
    ['the end of the run', notices(sampleEvents.agent_end)],
    ['a lost connection', { type: 'connection', state: { status: 'reconnecting', attempt: 1 } as never }],
  ])('has no more progress after %s', (_, input) => {
    expect(viewOf(progress, input).compacting).toBeUndefined()
  })

  it('keeps the progress of this client until its response', () => {
    const lost: ViewInput = { type: 'connection', state: { status: 'reconnecting', attempt: 1 } as never }
    expect(viewOf(own, lost).compacting).toBeDefined()
    expect(viewOf(own, { type: 'compacting' }).compacting).toBeUndefined()
  })

  it('that failed has a notice, unless this client gets the response', () => {
    expect(shortly(viewOf(progress, failed))).toBe('info(The conversation was not summarised: no credit) |')
    expect(shortly(viewOf(own, progress, failed))).toBe('|')
    expect(shortly(viewOf(failed))).toBe('|')
  })
})

describe('a head that moves', () => {
  const moved = notices({ type: 'head_moved', entryId })
  const node = { seq: 3, at: 1, event: compaction }
  const undone = 'info(The summary is undone: the model receives the earlier messages again) |'

  it('before a summary says that it is undone', () => {
    expect(shortly(viewOf(notices(compaction), moved, { type: 'branch', entries: [] }))).toContain(undone)
  })

  it.each<[string, ViewInput[]]>([
    ['stays behind the summary', [notices(compaction), moved, { type: 'branch', entries: [], compaction: node }]],
    ['has none', [moved, { type: 'branch', entries: [] }]],
    ['cannot be read', [notices(compaction), moved, { type: 'branch', entries: [], isUnread: true }]],
  ])('says nothing if the branch %s', (_, inputs) => {
    expect(shortly(viewOf(...inputs))).not.toContain('summary is')
    expect(shortly(viewOf(...inputs))).not.toContain('The model receives')
  })

  it('shows the summaries of the branch in their places', () => {
    const message = { role: 'user', content: 'Hi', timestamp: 0 } as const
    const entries = [1, 5].map((seq) => ({ entryId, parentId: null, seq, message }))
    const view = viewOf({ type: 'branch', entries, summaries: [node], compaction: node })
    expect(shortly(view)).toContain('user(Hi) summary(Goal: x) user(Hi)')
    expect(view).toMatchObject({ compaction: 'ssssssss', contextTokens: 24_000 })
  })
})

describe('edits and pins', () => {
  it.each<[string, EventNamed<'context_edit'>['replacement'], string]>([
    ['a hidden message', null, 'The model does not receive a message any more; /tree marks it'],
    [
      'a hidden result',
      toolResult({ content: [{ type: 'text', text: '[hidden by the user]' }] }),
      'The model does not receive a message any more; /tree marks it',
    ],
    ['shortened output', toolResult({}), 'The model receives older output shortened; /tree marks it'],
    ['another text', user('x'), 'The model receives a message as it is now; /tree marks what was replaced'],
  ])('%s has a notice', (_, replacement, text) => {
    expect(shortly(viewOf(edit(replacement)))).toBe(`info(${text}) |`)
  })

  it('has one notice for edits that come together', () => {
    const result = toolResult({})
    expect(viewOf(edit(result), edit(result), edit(result)).finishedCount).toBe(1)
    expect(viewOf(edit(result), answerStarts, edit(result)).notices).toBe(2)
  })

  it.each([
    [true, 'Pinned: the message stays when the conversation is summarised'],
    [false, 'The message is no longer pinned'],
  ])('a pin %s has a notice', (pinned, text) => {
    expect(shortly(viewOf(notices({ type: 'context_pin', targetEntryId: entryId, pinned })))).toBe(`info(${text}) |`)
  })
})
