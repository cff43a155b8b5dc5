// Tests the slash command /compact.
import { NEVER } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { compact } from '../../../../app/ui/commands/compact.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { sampleEvents } from '../../../streams/events/samples.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

const session = 'abcdefghij23'
const view: View = { ...emptyView(), session: { id: session, cwd: '/project', title: '' } }
const event = { ...sampleEvents.compaction, entryId: 'ssssssss', parentId: 'bbbbbbbb', summary: '## Goal\nFix **it**' }
const end = { entries: [], headEntryId: 'ssssssss', head: 9, more: true, compaction: { seq: 8, at: 1, event } }
const run = (argument: string, answers: Readonly<Record<string, unknown>> = {}, more: Partial<View> = {}) => {
  const fake = fakeUi({ view: { ...view, ...more }, answers })
  compact(fake.ui, argument)
  return fake
}

describe('/compact', () => {
  it.each([
    ['', {}],
    ['the failing test', { focus: 'the failing test' }],
  ])('%j asks the server, and shows that it is at work until the response', (argument, more) => {
    const { requests, notices } = run(argument)
    expect(requests).toEqual([{ type: 'compact', session, ...more }])
    expect(notices).toEqual([{ type: 'compacting', since: expect.any(Number) as number }, { type: 'compacting' }])
    expect(run('', { compact: NEVER }).notices).toHaveLength(1)
  })

  it.each<[Failure, object]>([
    [new Failure('cancelled', 'x'), { level: 'stopped', text: 'Stopped: the conversation is as it was' }],
    [
      new Failure('bad_request', 'There is nothing to compact yet'),
      { level: 'info', text: 'There is nothing to compact yet' },
    ],
    [
      new Failure('busy', 'x'),
      { level: 'warning', text: 'A run is active: /compact works when it has ended, or after Esc' },
    ],
    [
      new Failure('provider_error', 'The model wrote no summary'),
      {
        level: 'error',
        text: 'The model wrote no summary',
        hint: 'The conversation is as it was; /compact tries again, /model chooses another model',
      },
    ],
  ])('words the failure %s plainly', (failure, notice) => {
    expect(run('', { compact: failure }).notices).toContainEqual({ type: 'notice', ...notice })
  })

  it('is not asked for twice', () => {
    const { requests, notices } = run('', {}, { compacting: { since: 1, characters: 0 } })
    expect(requests).toEqual([])
    expect(notices).toMatchObject([{ level: 'warning' }])
  })
})

describe('/compact show', () => {
  const node = { parentId: null, at: 0, seq: 4, isHead: false, isOnBranch: true }
  const entries = [
    { ...node, entryId: 'aaaaaaaa', role: 'user', firstWords: 'Fix it', received: 'summarised' },
    { ...node, entryId: 'bbbbbbbb', role: 'assistant', firstWords: 'Done' },
  ]

  it('opens the summary, with the messages that it stands for', () => {
    const { notices } = run('show', { get_entries: end, get_tree: { entries } })
    const text = JSON.stringify(notices)
    expect(notices).toMatchObject([
      { type: 'overlay', overlay: { name: 'page', title: 'Summary of earlier messages' } },
    ])
    expect(text).toContain('The messages that it replaces (1)')
    expect(text).toContain('you: Fix it')
    expect(text).not.toContain('Done')
    expect(text).toContain('Goal')
  })

  it.each(['show', 'undo'])('%s says that nothing is summarised', (argument) => {
    const { requests, notices } = run(argument, {
      get_entries: { entries: [], headEntryId: null, head: 0, more: false },
    })
    expect(requests).toHaveLength(1)
    expect(notices).toMatchObject([{ text: 'Nothing is summarised here: the model receives every message' }])
  })
})

describe('/compact undo', () => {
  it('moves the head before the summary [PANEL-compaction]', () => {
    const { requests } = run('undo', { get_entries: end })
    expect(requests.at(-1)).toEqual({ type: 'branch_session', session, entryId: 'bbbbbbbb' })
  })

  it('names the tree if messages have followed', () => {
    const node = { entryId: 'bbbbbbbb', parentId: null, at: 0, seq: 4, role: 'assistant', firstWords: 'Done' }
    const answers = { get_entries: { ...end, headEntryId: 'cccccccc' }, get_tree: { entries: [node] } }
    const { requests, notices } = run('undo', answers)
    expect(requests.map(({ type }) => type)).toEqual(['get_entries', 'get_tree'])
    expect(notices).toMatchObject([{ text: 'Messages have followed the summary. Choose “model: Done” in /tree to go on before it; what followed stays in the tree' }]) // prettier-ignore
  })
})
