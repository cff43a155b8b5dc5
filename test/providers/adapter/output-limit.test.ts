// Tests the output limit of a request.
import { expect, it } from 'vitest'
import { outputLimit } from '../../../lib/providers/adapter/output-options.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { aRequest } from '../offline/a-request.ts'

const model: Model = { id: 'm', provider: 'p', api: 'a', inputs: ['text'], reasoning: false }

it.each([
  ['nothing, without any limit', {}, {}, undefined, undefined],
  ['the request', { maxTokens: 7 }, {}, 100, 7],
  ['the adapter, if the request has none', {}, {}, 100, 100],
  ['the model, if the request exceeds it', { maxTokens: 700 }, { maxOutput: 50 }, 100, 50],
  ['nothing, if only the model has a limit', {}, { maxOutput: 50 }, undefined, undefined],
  [
    'the rest of the context window',
    { maxTokens: 9000, system: 'x'.repeat(4000) },
    { contextWindow: 5000 },
    undefined,
    4000,
  ],
  [
    'the minimum, if the context window is full',
    { maxTokens: 9000, system: 'x'.repeat(40_000) },
    { contextWindow: 5000 },
    1,
    1024,
  ],
])('comes from %s', (_, request, known, wanted, expected) => {
  expect(outputLimit(aRequest({ ...request, model: { ...model, ...known } }), wanted)).toBe(expected)
})
