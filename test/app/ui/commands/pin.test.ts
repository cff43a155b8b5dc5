// Tests the slash command /pin.
import { expect, it } from 'vitest'
import { pin } from '../../../../app/ui/commands/pin.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

const session = 'abcdefghij23'
const view = { ...emptyView(), session: { id: session, cwd: '/project', title: '' } }
const entries = ['user', 'assistant', 'user', 'assistant'].map((role, index) => ({
  entryId: `entry${index}aa`,
  message: { role, content: '' },
}))
const run = (argument: string, found: readonly object[] = entries) => {
  const fake = fakeUi({ view, answers: { get_entries: { entries: found } } })
  pin(fake.ui, argument)
  return fake
}

it.each([
  ['', true],
  ['off', false],
])('/pin %s changes the last message of the user', (argument, pinned) => {
  expect(run(argument).requests.at(-1)).toEqual({ type: 'context_pin', session, entryId: 'entry2aa', pinned })
})

it.each([
  ['', [], 'There is no message of yours to pin yet'],
  ['this', entries, '/pin takes no argument, or off; /tree pins any message with Alt-P'],
])('/pin %s says what is wrong', (argument, found, text) => {
  const { requests, notices } = run(argument, found)
  expect(notices).toMatchObject([{ level: 'warning', text }])
  expect(requests.some(({ type }) => type === 'context_pin')).toBe(false)
})
