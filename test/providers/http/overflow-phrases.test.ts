// Tests the phrases by which a context overflow is recognised.
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../support/cpu-time.ts'
import { overflowPhrases, saysOverflow } from '../../../lib/providers/http/overflow-phrases.ts'
import { readProviderError, providerFailure } from '../../../lib/providers/http/provider-failure.ts'

const kindOf = (status: number, error: object) =>
  providerFailure(readProviderError({ error }) ?? {}, { provider: 'maker', status }).data.kind

describe('an overflow', () => {
  it.each(overflowPhrases.map(({ servers, sample }) => [servers, sample]))('as %s tells it: %s', (_, sample) => {
    expect(kindOf(400, { type: 'invalid_request_error', message: sample })).toBe('context_overflow')
  })

  it.each<[string, number, object]>([
    ['OpenAI’s code', 400, { code: 'context_length_exceeded', message: 'too much' }],
    ['llama.cpp’s type', 400, { type: 'exceed_context_size_error', message: 'too much' }],
    ['GitHub’s code', 413, { code: 'tokens_limit_reached', message: 'Request body too large' }],
    ['Anthropic’s type', 413, { type: 'request_too_large', message: 'Request exceeds the maximum size' }],
    ['a limit on tokens a minute that one request exceeds', 413, { code: 'rate_limit_exceeded', message: 'too large' }],
    [
      'Google’s status',
      400,
      {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: 'The input token count (12) exceeds the maximum number of tokens allowed (8).',
      },
    ],
  ])('is known by %s', (_, status, error) => {
    expect(kindOf(status, error)).toBe('context_overflow')
  })

  it.each<[number, object, string]>([
    [429, { message: 'Rate limit: the prompt is too long for your tier' }, 'rate_limit'],
    [401, { message: 'prompt is too long' }, 'auth'],
    [529, { type: 'overloaded_error', message: 'prompt is too long' }, 'overloaded'],
    [
      400,
      { message: 'max_tokens: 300000 > 128000, which is the maximum allowed number of output tokens' },
      'bad_request',
    ],
    [400, { message: "Invalid 'messages[3].content': string too long" }, 'bad_request'],
  ])('is not what answers %i with %j', (status, error, kind) => {
    expect(kindOf(status, error)).toBe(kind)
  })

  it('is looked for in a long text in no time', () => {
    const hostile = 'input token count '.repeat(50_000)
    const before = cpuMs()
    expect(saysOverflow(hostile)).toBe(false)
    expect(cpuMs() - before).toBeLessThan(1_000)
  })
})
