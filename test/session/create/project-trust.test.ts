// Tests which models a project may name.
import { expect, it } from 'vitest'
import { isKnownModel } from '../../../lib/session/create/session-scenarios.ts'

it.each([
  ['openai/gpt-5', true],
  ['mine/a', true],
  ['mine/', false],
  ['mine', false],
  ['', false],
  ['other/a', false],
  ['scripted//tmp/planted.json', false],
  ['replay//tmp/planted.jsonl', false],
  ['demo/x', false],
  ['constructor/x', false],
])('of a user with the provider "mine", %j: %j [S1b, S2b]', (name, isKnown) => {
  expect(isKnownModel(name, { providers: { mine: { api: 'openai-completions', baseUrl: 'http://127.0.0.1:1' } } })).toBe(isKnown) // prettier-ignore
})
