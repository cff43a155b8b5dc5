// Tests editing of queued input.
import { describe, expect, it } from 'vitest'
import { editQueued, queuedBeside } from '../../../../app/ui/contract/edit-queue.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import type { QueuedInput } from '../../../../lib/streams/state/fold-inputs.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

const input = (queueId: string): QueuedInput => ({ queueId, queue: 'steering', content: queueId })
const queue = [input('a'), input('b'), input('c')]
const session = 'abcdefghij23'
const view: View = { ...emptyView(), session: { id: session, cwd: '/project', title: '' }, queue }

describe('queuedBeside', () => {
  it.each<readonly [string | undefined, -1 | 1, string | undefined]>([
    [undefined, -1, 'c'],
    ['c', -1, 'b'],
    ['a', -1, 'a'],
    ['a', 1, 'b'],
    ['c', 1, undefined],
    [undefined, 1, undefined],
    ['gone', -1, 'c'],
    ['gone', 1, undefined],
  ])('from %s by %s is %s', (from, by, to) => {
    expect(queuedBeside(queue, from, by)).toBe(to)
  })

  it('returns nothing if the queue is empty', () => {
    expect(queuedBeside([], undefined, -1)).toBeUndefined()
  })
})

describe('editQueued', () => {
  it('replaces a queued input with its images, or removes it', () => {
    const { ui, requests } = fakeUi({ view })
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const
    editQueued(ui, input('b'), { text: 'new', images: [image] })
    editQueued(ui, input('a'), { text: 'words', images: [] })
    editQueued(ui, input('c'), undefined)
    expect(requests).toEqual([
      { type: 'edit_queued', session, queueId: 'b', text: 'new', images: [image] },
      { type: 'edit_queued', session, queueId: 'a', text: 'words' },
      { type: 'remove_queued', session, queueId: 'c' },
    ])
  })

  it('returns the edited text if the input was sent meanwhile', () => {
    const { ui, notices } = fakeUi({
      view,
      answers: { edit_queued: new Failure('bad_request', 'none of that id waits') },
    })
    editQueued(ui, input('x'), { text: 'new', images: [] })
    editQueued(ui, input('a'), { text: 'new', images: [] })
    expect(notices).toEqual([
      { type: 'notice', level: 'warning', text: 'The input was sent before your change' },
      { type: 'draft', text: 'new', images: [] },
      { type: 'notice', level: 'warning', text: 'none of that id waits' },
      { type: 'draft', text: 'new', images: [] },
    ])
  })
})
