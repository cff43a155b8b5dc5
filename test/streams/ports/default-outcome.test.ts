// Tests the outcome of a question that no client answers.
import { expect, it } from 'vitest'
import { defaultOutcome } from '../../../lib/streams/ports/ask.ts'

it.each([
  ['approval', undefined, 'deny'],
  ['approval', 'once', 'deny'],
  ['confirm', undefined, false],
  ['confirm', true, true],
  ['select', undefined, null],
  ['select', 'a', 'a'],
  ['input', undefined, null],
  ['input', '', ''],
  ['notify', undefined, null],
] as const)('%s with the default %j resolves to %j if no client answers [EVENT-ui_resolved]', (kind, own, outcome) => {
  expect(defaultOutcome({ kind, ...(own === undefined ? {} : { default: own }) })).toBe(outcome)
})
