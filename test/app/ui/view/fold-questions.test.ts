// Tests the dialog state: it opens for the first question and stays until that is resolved.
// An answer of another client is shown as a notice.
import { describe, expect, it } from 'vitest'
import { foldView } from '../../../../app/ui/view/fold-view.ts'
import { shortly, notices, viewOf } from './view-scene.ts'

const id = (letter: string): string => letter.repeat(26)
const requests = (letter: string, more: object = {}) =>
  notices({
    type: 'ui_request',
    requestId: id(letter),
    kind: 'confirm',
    source: 'core',
    text: 'Really?',
    ...more,
  })
const resolved = (letter: string, by: 'client' | 'timeout' = 'client', outcome: unknown = true) =>
  notices({ type: 'ui_resolved', requestId: id(letter), outcome, by })
const dialog = (letter: string) => ({ name: 'dialog', requestId: id(letter) })

describe('a question', () => {
  it('is shown on arrival, one at a time, in order', () => {
    const both = viewOf(requests('a'), requests('b'))
    expect(both.overlay).toEqual(dialog('a'))
    const next = foldView(both, resolved('a'))
    expect(next.overlay).toEqual(dialog('b'))
    expect(foldView(next, resolved('b')).overlay).toBeUndefined()
  })

  it('replaces a picker, and returns after another overlay closes', () => {
    const view = viewOf({ type: 'overlay', overlay: { name: 'picker', picker: 'tree' } }, requests('a'))
    expect(view.overlay).toEqual(dialog('a'))
    expect(foldView(view, { type: 'overlay' }).overlay).toEqual(dialog('a'))
  })

  it('shows a notice if another client or the time-out answered it; not for an own answer', () => {
    expect(shortly(viewOf(requests('a'), resolved('a')))).toBe('info(Answered elsewhere: Really? — yes) |')
    expect(shortly(viewOf(requests('a'), resolved('a', 'timeout', false)))).toBe(
      'info(Not answered in time: Really? — no) |',
    )
    expect(shortly(viewOf(requests('a'), { type: 'answered', requestId: id('a') }, resolved('a')))).toBe('|')
  })

  it('of the newer event opens a dialog too, after the others', () => {
    const question = {
      type: 'question',
      requestId: id('q'),
      kind: 'approval',
      source: 'core',
      text: 'May bash run?',
    } as const
    const view = viewOf(notices(question), requests('a'))
    expect(view.overlay).toEqual(dialog('q'))
    const elsewhere = {
      type: 'question_resolved',
      requestId: id('q'),
      outcome: { choice: 'deny' },
      by: 'client',
    } as const
    const next = foldView(view, notices(elsewhere))
    expect(next.overlay).toEqual(dialog('a'))
    expect(shortly(next)).toBe('info(Answered elsewhere: May bash run? — deny) |')
    const own = viewOf(notices(question), { type: 'answered', requestId: id('q') }, notices(elsewhere))
    expect([shortly(own), own.overlay, own.answered]).toEqual(['|', undefined, []])
  })

  it('that recovery ended has no answer, and only the plan that is proposed again is open', () => {
    const plan = (letter: string) =>
      ({ type: 'question', requestId: id(letter), kind: 'plan', source: 'core', text: 'Change a.\nThen b.' }) as const
    const ended = { type: 'question_resolved', requestId: id('p'), outcome: { choice: 'reject' }, by: 'recovery' } as const // prettier-ignore
    const view = viewOf(notices(plan('p')), notices(ended), notices(plan('r')))
    expect(shortly(view)).toBe(
      'info(The server ended before this was answered, and proposes the plan again: Change a.) |',
    )
    expect([view.overlay, view.questions.map(({ requestId }) => requestId)]).toEqual([dialog('r'), [id('r')]])
  })

  it('of kind notify is a line, not a dialog', () => {
    const view = viewOf(requests('a', { kind: 'notify', source: 'lint', text: 'Done' }))
    expect([shortly(view), view.overlay]).toEqual(['info(lint: Done) |', undefined])
  })
})
