// Tests the classification of provider failures.
import { describe, expect, it } from 'vitest'
import { readProviderError, thrownFailure, providerFailure } from '../../../lib/providers/http/provider-failure.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

describe('readProviderError', () => {
  it.each([
    [{ error: { message: 'm', code: 'c', type: 't' } }, { message: 'm', code: 'c', type: 't' }],
    [{ error: 'model not found' }, { message: 'model not found' }],
    [{ error: { code: 400, message: 'm' } }, { message: 'm', status: 400 }],
    [{ error: { code: '429', message: 'm' } }, { message: 'm', code: '429', status: 429 }],
    [
      { object: 'error', message: 'm', type: 'BadRequestError', code: 404 },
      { message: 'm', type: 'BadRequestError', status: 404 },
    ],
    [{ detail: 'Not Found' }, { message: 'Not Found' }],
    [{ message: 'Unauthorized' }, { message: 'Unauthorized' }],
    [{ error: { reason: 'x' } }, { message: '{"reason":"x"}' }],
    [
      {
        error: { message: 'Provider returned error', metadata: { raw: '{"error":{"message":"prompt is too long"}}' } },
      },
      { message: 'Provider returned error: prompt is too long' },
    ],
    [
      { error: { message: 'Provider returned error', metadata: { raw: 'model is loading' } } },
      { message: 'Provider returned error: model is loading' },
    ],
    [{ error: { message: 'm', metadata: { raw: {} } } }, { message: 'm' }],
  ])('finds it in %j', (value, expected) => {
    expect(readProviderError(value)).toEqual(expected)
  })

  it.each([[{ choices: [], error: null }], [null], ['text'], [{ id: 'x' }]])('finds none in %j', (value) => {
    expect(readProviderError(value)).toBeUndefined()
  })
})

describe('an error that the provider told', () => {
  it.each([
    [401, {}, 'auth'],
    [402, {}, 'auth'],
    [403, {}, 'auth'],
    [400, {}, 'bad_request'],
    [404, {}, 'bad_request'],
    [408, {}, 'network'],
    [409, {}, 'overloaded'],
    [413, {}, 'context_overflow'],
    [429, {}, 'rate_limit'],
    [429, { code: 'insufficient_quota' }, 'auth'],
    [400, { code: 'context_length_exceeded' }, 'context_overflow'],
    [400, { type: 'exceed_context_size_error' }, 'context_overflow'],
    [400, { code: 'content_filter' }, 'refused'],
    [500, {}, 'overloaded'],
    [503, {}, 'overloaded'],
    [529, {}, 'overloaded'],
    [undefined, { type: 'invalid_request_error' }, 'bad_request'],
    [undefined, { type: 'server_error' }, 'overloaded'],
    [undefined, { type: 'invalid_request_error', status: 429 }, 'rate_limit'],
    [undefined, {}, 'overloaded'],
    [undefined, { code: 'invalid_prompt' }, 'refused'],
    [undefined, { code: 'invalid_image_format' }, 'bad_request'],
    [
      400,
      { message: 'Provider returned error: prompt is too long: 215103 tokens > 200000 maximum' },
      'context_overflow',
    ],
    [400, { code: 'constructor', type: '__proto__' }, 'bad_request'],
  ])('with status %s and %j is %s [LOOP-28g]', (status, error, kind) => {
    const failure = providerFailure(error, { provider: 'maker', ...(status === undefined ? {} : { status }) })
    expect(failure.data.kind).toBe(kind)
  })

  it('names provider, status and reason, and keeps keys out', () => {
    const failure = providerFailure(
      { message: 'Incorrect API key provided: sk-secret-1.', code: 'invalid_api_key' },
      { provider: 'maker', status: 401, secrets: ['sk-secret-1'] },
    )
    expect(failure.message).toBe('maker answered 401: Incorrect API key provided: [key].')
    expect(failure.data).toEqual({ kind: 'auth', status: 401, providerCode: 'invalid_api_key' })
  })

  it('cuts a message that is too long', () => {
    expect(providerFailure({ message: 'x'.repeat(10_000) }, { provider: 'maker' }).message.length).toBeLessThan(2100)
  })
})

describe('a thrown error', () => {
  const withCode = (code: string): Error => Object.assign(new Error('inner'), { code })

  it.each([
    ['ECONNREFUSED', 'network', 'is it running?'],
    ['ENOTFOUND', 'network', 'no such host'],
    ['UND_ERR_SOCKET', 'network', 'cut'],
    ['UND_ERR_HEADERS_TIMEOUT', 'stall', 'no answer'],
    ['UND_ERR_BODY_TIMEOUT', 'stall', 'no data arrived'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'network', 'inner'],
  ])('caused by %s is of kind %s [PORT-failure]', (code, kind, says) => {
    const failure = thrownFailure(new TypeError('fetch failed', { cause: withCode(code) }), { provider: 'maker' })
    expect(failure.data).toMatchObject({ kind, systemCode: code })
    expect(failure.message).toContain(says)
  })

  it('has the kind network if only the message of fetch shows it', () => {
    expect(thrownFailure(new TypeError('terminated'), { provider: 'maker' }).data.kind).toBe('network')
  })

  it('has the kind bad_request if an SDK refused to send the request', () => {
    expect(thrownFailure(new Error('no such option'), { provider: 'maker' }).data.kind).toBe('bad_request')
  })

  it.each([new TypeError('the header is sk-one-two'), new Error('no option sk-one-two, sk-one')])(
    'has no key in its message: %s [S18a]',
    (thrown) => {
      const { message } = thrownFailure(thrown, { provider: 'maker', secrets: ['sk-one', 'sk-one-two'] })
      expect(message).toMatch(/^maker.*(?:header is|no option) /)
      expect(message).not.toMatch(/sk-one|-two/)
    },
  )

  it('stays the Failure that is in its chain of causes', () => {
    const notices = new Failure('provider_error', 'told')
    const wrapped = new Error('Connection error.', { cause: new Error('x', { cause: notices }) })
    expect(thrownFailure(wrapped, { provider: 'maker' })).toBe(notices)
  })

  it('ends in a circle of causes', () => {
    const first = new Error('first')
    first.cause = new Error('second', { cause: first })
    expect(thrownFailure(first, { provider: 'maker' }).message).toContain('second')
  })
})
