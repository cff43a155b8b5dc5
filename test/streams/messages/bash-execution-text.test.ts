// Tests the text that a model gets for a command of the user.
import { expect, it } from 'vitest'
import { bashExecutionText } from '../../../lib/streams/messages/bash-execution.ts'
import { user } from '../events/samples.ts'

const bashExecution = (fields: object): never =>
  ({ role: 'bashExecution', timestamp: 1, command: 'ls', ...fields }) as never

it.each<[object, string]>([
  [{ output: 'a\nb\n', exitCode: 0, cancelled: false }, '$ ls\na\nb'],
  [{ output: '', exitCode: 0 }, '$ ls'],
  [{}, '$ ls'],
  [{ output: 'no', exitCode: 2 }, '$ ls\nno\n[exit code 2]'],
  [{ output: 'half', exitCode: null, cancelled: true }, '$ ls\nhalf\n[cancelled]'],
])('a command with %j is formatted as on the screen', (fields, text) => {
  expect(bashExecutionText(bashExecution(fields))).toBe(text)
})

it('is empty for other roles, or without a command', () => {
  expect([bashExecutionText(user('ls')), bashExecutionText(bashExecution({ command: 7 }))]).toEqual([
    undefined,
    undefined,
  ])
})
