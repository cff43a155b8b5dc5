// Tests the actions of the UI on a run.
import { describe, expect, it } from 'vitest'
import { stopAndLeave } from '../../../../app/ui/commands/leave.ts'
import { runAction } from '../../../../app/ui/screen/run-action.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import type { QueuedInput } from '../../../../lib/streams/state/fold-inputs.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

const input = (queueId: string, queue: QueuedInput['queue'] = 'steering'): QueuedInput => ({
  ...{ queueId, queue, content: queueId },
})
const session = 'abcdefghij23'
const view: View = {
  ...emptyView(),
  session: { id: session, cwd: '/project', title: '' },
  queue: [input('a'), input('b')],
  running: { since: 0 },
}
const screen = { redraw: () => undefined, suspend: () => undefined }

describe('stopping a run', () => {
  it.each([
    ['all that waited', 2, 'a\n\nb'],
    ['only what was not delivered meanwhile', 1, 'b'],
    ['all known inputs, if another client added more', 3, 'a\n\nb'],
  ])('returns %s to the editor', (_, cleared, text) => {
    const { ui, requests, notices } = fakeUi({ view, answers: { clear_queue: { cleared } } })
    runAction(ui, 'abort', screen)
    expect(requests.map(({ type }) => type)).toEqual(['clear_queue', 'abort'])
    expect(notices).toEqual([
      { type: 'draft', text, images: [] },
      { type: 'stopping', isStopping: true },
    ])
  })

  it('returns an earlier follow-up, because steering is delivered first', () => {
    const queue = [input('a', 'followUp'), input('b'), input('c', 'followUp')]
    const { ui, notices } = fakeUi({ view: { ...view, queue }, answers: { clear_queue: { cleared: 2 } } })
    runAction(ui, 'abort', screen)
    expect(notices).toContainEqual({ type: 'draft', text: 'a\n\nc', images: [] })
  })

  it('returns nothing if the whole queue was sent meanwhile', () => {
    const { ui, notices } = fakeUi({ view, answers: { clear_queue: { cleared: 0 } } })
    runAction(ui, 'abort', screen)
    expect(notices).toEqual([{ type: 'stopping', isStopping: true }])
  })
})

it.each([
  ['one that a hook holds', 1, ['abort']],
  ['none, and sends nothing', 0, []],
])('stops an input before its run: %s', (_, sending, sent) => {
  const { running: __, ...resting } = view
  const { ui, requests, notices } = fakeUi({ view: { ...resting, queue: [], sending } })
  runAction(ui, 'abort', screen)
  expect([requests.map(({ type }) => type), notices]).toEqual([sent, []])
})

it('stops a compaction', () => {
  const { running: _, ...resting } = view
  const compacting: View = { ...resting, queue: [], compacting: { since: 1, characters: 0 } }
  const { ui, requests } = fakeUi({ view: compacting })
  runAction(ui, 'abort', screen)
  expect(requests).toEqual([{ type: 'abort', session }])
})

describe('leaving', () => {
  const on: View = { ...view, connection: 'connected' }

  it('asks while a run is active, and not while it is being stopped or without a server [KEYS-leave]', () => {
    const asks = fakeUi({ view: on })
    runAction(asks.ui, 'leave', screen)
    expect([asks.hasLeft(), asks.notices]).toEqual([
      false,
      [{ type: 'overlay', overlay: { name: 'picker', picker: 'leave' } }],
    ])
    const { running: _, ...idle } = on
    for (const each of [idle, { ...on, running: { since: 0, isStopping: true } }, view]) {
      const { ui, notices, hasLeft } = fakeUi({ view: each })
      runAction(ui, 'leave', screen)
      expect([hasLeft(), notices]).toEqual([true, []])
    }
  })

  it('stops the run first if the user chooses so, and stays if the server refuses', () => {
    const { ui, requests, hasLeft } = fakeUi({ view: on })
    stopAndLeave(ui)
    expect([requests.map(({ type }) => type), hasLeft()]).toEqual([['abort'], true])
    const refusing = fakeUi({ view: on, answers: { abort: new Failure('storage', 'the disk is full') } })
    stopAndLeave(refusing.ui)
    expect(refusing.hasLeft()).toBe(false)
    expect(refusing.notices).toEqual([
      { type: 'stopping', isStopping: true },
      { type: 'stopping', isStopping: false },
      expect.objectContaining({ type: 'notice', level: 'error', text: 'the disk is full' }),
    ])
  })
})
