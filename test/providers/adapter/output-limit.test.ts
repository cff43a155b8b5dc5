// Tests the output limit of a request.
import { expect, it } from 'vitest'
import { outputLimit } from '../../../lib/providers/adapter/output-options.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { aRequest } from '../offline/a-request.ts'

const model: Model = { id: 'm', provider: 'p', api: 'a', inputs: ['text'], reasoning: false }

it.each([
  ['nobody said a number', {}, {}, undefined, undefined],
  ['the request', { maxTokens: 7 }, {}, 100, 7],
  ['the adapter, where the request says nothing', {}, {}, 100, 100],
  ['the model, where more was asked for', { maxTokens: 700 }, { maxOutput: 50 }, 100, 50],
  ['the model, but only where somebody asked', {}, { maxOutput: 50 }, undefined, undefined],
  [
    'what is left of the window',
    { maxTokens: 9000, system: 'x'.repeat(4000) },
    { contextWindow: 5000 },
    undefined,
    4000,
  ],
  [
    'the least, where nothing is left',
    { maxTokens: 9000, system: 'x'.repeat(40_000) },
    { contextWindow: 5000 },
    1,
    1024,
  ],
])('is told by %s', (_, request, known, wanted, expected) => {
  expect(outputLimit(aRequest({ ...request, model: { ...model, ...known } }), wanted)).toBe(expected)
})
