// Tests the recorder of lines and reactions.
import { expect, it } from 'vitest'
import { recorder } from './recorder.ts'
import type { Person, Reaction } from './situation.ts'

function record(reactions: readonly Reaction[]) {
  return recorder({ reactions, person: () => ({}) as Person, wording: (text) => text })
}

it('runs a reaction at its line, once', () => {
  const seen: string[] = []
  const told = record([{ at: 'TS', nth: 2, act: () => seen.push('acted') }])
  for (const line of ['AS', 'TS', 'TE', 'TS', 'TS']) {
    told.event(line)
    seen.push(line)
  }
  expect(seen).toEqual(['AS', 'TS', 'TE', 'acted', 'TS', 'TS'])
})

it('reports a reaction whose line never came', () => {
  expect(record([{ at: 'xe(c1', act: () => undefined }]).course({ messages: [] }).promises).toEqual([
    'xe(c1 was never told',
  ])
})

it('records requests in order, whatever their ends', () => {
  const told = record([])
  const first = told.asked('prompt "a"')
  told.asked('prompt "b"')('rejects <busy>')
  told.asked('continue')
  first('resolves')
  expect(told.course({ messages: [] }).promises).toEqual([
    'prompt "a" resolves',
    'prompt "b" rejects <busy>',
    'continue is open',
  ])
})
