// Tests the recorder of lines and reactions.
import { expect, it } from 'vitest'
import { recorder } from './recorder.ts'
import type { Person, Reaction } from './situation.ts'

function record(reactions: readonly Reaction[]) {
  return recorder({ reactions, person: () => ({}) as Person, wording: (text) => text })
}

it('runs a reaction at its line, once', () => {
  const actions: string[] = []
  const recording = record([{ at: 'TS', nth: 2, act: () => actions.push('acted') }])
  for (const line of ['AS', 'TS', 'TE', 'TS', 'TS']) {
    recording.event(line)
    actions.push(line)
  }
  expect(actions).toEqual(['AS', 'TS', 'TE', 'acted', 'TS', 'TS'])
})

it('reports a reaction whose line never came', () => {
  expect(record([{ at: 'xe(c1', act: () => undefined }]).trace({ messages: [] }).promises).toEqual([
    'xe(c1 was never told',
  ])
})

it('records requests in order, whatever their ends', () => {
  const recording = record([])
  const first = recording.settlement('prompt "a"')
  recording.settlement('prompt "b"')('rejects <busy>')
  recording.settlement('continue')
  first('resolves')
  expect(recording.trace({ messages: [] }).promises).toEqual([
    'prompt "a" resolves',
    'prompt "b" rejects <busy>',
    'continue is open',
  ])
})
