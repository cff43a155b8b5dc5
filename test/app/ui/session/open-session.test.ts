// Tests what a UI sends when it opens a session: the options of the command line that hold there.
import { EMPTY } from 'rxjs'
import type { Observable } from 'rxjs'
import { expect, it } from 'vitest'
import { openNew, openSession } from '../../../../app/ui/session/open-session.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { Ui } from '../../../../app/ui/contract/ui.ts'
import type { CommandNamed } from '../../../../lib/streams/commands/command.ts'
import { fakeUi } from '../../../support/fake-ui.ts'
import type { FakeUiOptions } from '../../../support/fake-ui.ts'

const session = 'abcdefghij23'
const later = { ...emptyView(), session: { id: 'abcdefghij33', cwd: '/project', title: '' } }
const options = {
  model: 'openai/gpt-5',
  system: 'Be brief',
  approve: 'ask',
  sandbox: 'read-only',
  trust: true,
} as const

/** The request of an opening, without folder and environment. */
function requested(open: (ui: Ui) => Observable<unknown>, setup: FakeUiOptions = {}): object {
  const { ui, requests } = fakeUi({ options, answers: { new_session: EMPTY, open_session: EMPTY }, ...setup })
  open(ui).subscribe()
  const { cwd: _cwd, env: _env, offerDemo: _demo, ...fields } = requests[0] as CommandNamed<'new_session'> // has all of them
  return fields
}

it('gives the first session that a person picks the options, without the trust of this folder', () => {
  const { trust: _, ...others } = options
  expect(requested((ui) => openSession(ui, session))).toEqual({
    type: 'open_session',
    session,
    ...others,
  })
})

it('gives later sessions the fences alone', () => {
  const { approve, sandbox } = options
  expect(requested((ui) => openSession(ui, session), { view: later })).toEqual({
    type: 'open_session',
    session,
    approve,
    sandbox,
  })
})

it('gives a new session all options', () => {
  expect(requested(openNew)).toEqual({ type: 'new_session', ...options })
})
