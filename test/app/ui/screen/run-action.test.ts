// Tests the actions of the UI on a run.
import { describe, expect, it } from 'vitest'
import { runAction } from '../../../../app/ui/screen/run-action.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import type { QueuedInput } from '../../../../lib/streams/state/fold-inputs.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

const input = (queueId: string): QueuedInput => ({ queueId, queue: 'steering', content: queueId })
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
    const { ui, asked, told } = fakeUi({ view, answers: { clear_queue: { cleared } } })
    runAction(ui, 'abort', screen)
    expect(asked.map(({ type }) => type)).toEqual(['clear_queue', 'abort'])
    expect(told).toEqual([{ type: 'draft', text, images: [] }])
  })

  it('returns nothing if the whole queue was sent meanwhile', () => {
    const { ui, told } = fakeUi({ view, answers: { clear_queue: { cleared: 0 } } })
    runAction(ui, 'abort', screen)
    expect(told).toEqual([])
  })
})
