// Tests what a UI sends when it opens a session: the options of the command line that hold there.
import { EMPTY } from 'rxjs'
import type { Observable } from 'rxjs'
import { expect, it } from 'vitest'
import { openNew, openSession, reopenSession } from '../../../../app/ui/session/open-session.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { Ui } from '../../../../app/ui/contract/ui.ts'
import type { CommandNamed } from '../../../../lib/streams/commands/command.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
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

it('gives the first session that a person picks the options', () => {
  expect(requested((ui) => openSession(ui, session, '/other'))).toEqual({ type: 'open_session', session, ...options })
})

it('gives a later session --trust in the folder of the UI alone', () => {
  const sent = (folder: string) => requested((ui) => openSession(ui, session, folder), { view: later })
  expect(sent('/project')).toMatchObject({ trust: true })
  expect(sent('/other')).not.toHaveProperty('trust')
})

it('opens a session again after it was closed, and says whether the files of its folder count', () => {
  const noteOf = (notices: readonly object[], closed: unknown = {}) => {
    const answers = { close_session: closed, open_session: { session, notices } }
    const { ui, requests, opened } = fakeUi({ view: later, answers })
    ui.open(reopenSession(ui, session))
    expect(requests.map(({ type }) => type)).toEqual(['close_session', 'open_session'])
    return opened
  }
  const counts = { code: 'opened', message: 'The files of the folder count in this session' }
  expect(noteOf([])).toMatchObject([{ notices: [counts] }])
  const untrusted = { code: 'folder_untrusted', message: '' }
  const inUse = { code: 'opened', message: expect.stringContaining('in use') as string }
  expect(noteOf([untrusted], new Failure('busy', 'in use'))).toMatchObject([{ notices: [untrusted, inUse] }])
})

it('gives later sessions the fences alone, and names the session that is left', () => {
  const { approve, sandbox } = options
  expect(requested((ui) => openSession(ui, session), { view: later })).toEqual({
    type: 'open_session',
    session,
    approve,
    sandbox,
    leaving: 'abcdefghij33',
  })
})

it('gives a new session all options', () => {
  expect(requested(openNew)).toEqual({ type: 'new_session', ...options })
})
