// Tests the client side of the proxy against a raw server: its requests and invalid answers.
import { lastValueFrom, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { proxy } from '../../../lib/providers/proxy/proxy.ts'
import type { ProxyOptions } from '../../../lib/providers/proxy/proxy.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import type { RawAnswer } from '../../support/raw-sse-server.ts'
import { aRequest } from '../offline/a-request.ts'

const headers = { 'content-type': 'application/x-ndjson' }
const done = { type: 'done', stopReason: 'stop', usage: noUsage }
const lines = (...values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const token = 'token-for-a-test'

async function answered(answer: RawAnswer, more: Partial<ProxyOptions> = {}): Promise<AssistantDelta[]> {
  await using server = await rawSseServer({ headers, ...answer })
  return await lastValueFrom(proxy({ url: server.url, token, ...more })(aRequest()).pipe(toArray()), {
    defaultValue: [],
  })
}
async function failed(answer: RawAnswer, more: Partial<ProxyOptions> = {}): Promise<Failure> {
  const outcome: unknown = await answered(answer, more).catch((error: unknown) => error)
  if (outcome instanceof Failure) return outcome
  throw new Error('it did not fail')
}

describe('the request to the proxy', () => {
  it('has the conversation, the name of the model, and a new token each time', async () => {
    await using server = await rawSseServer({ headers, body: [lines(done)] })
    let sentRequests = 0
    const provider = proxy({
      url: `${server.url}/`,
      token: () => Promise.resolve(`token-${++sentRequests}-of-the-moment`),
    })
    const request = aRequest({ system: 'Be brief.', temperature: 0.5 })
    for (let round = 0; round < 2; round++) await lastValueFrom(provider(request), { defaultValue: undefined })
    expect(server.requests.map(({ headers: sent }) => sent.authorization)).toEqual([
      'Bearer token-1-of-the-moment',
      'Bearer token-2-of-the-moment',
    ])
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/v1/stream' })
    expect(server.requests[0]?.json()).toEqual({
      model: 'scripted/scripted',
      system: 'Be brief.',
      messages: [],
      tools: [],
      thinkingLevel: 'off',
      temperature: 0.5,
    })
  })
})

describe('the response of the proxy', () => {
  it('is read without its blank lines and unknown types', async () => {
    expect(await answered({ body: ['\n\n', lines({ type: 'news', a: 1 }), '\r\n', lines(done)] })).toEqual([done])
  })

  it('ends with `done`, whatever follows', async () => {
    expect(await answered({ body: [lines(done, { type: 'failure' })], ending: 'stall' })).toEqual([done])
  })

  it('takes the arguments of a call from its pieces if the end has none', async () => {
    const start = { type: 'toolcall_start', contentIndex: 0, id: 'c', name: 'read' }
    const pieces = ['{"a"', ':[1]}'].map((text) => ({ type: 'toolcall_delta', contentIndex: 0, text }))
    const end = { type: 'toolcall_end', contentIndex: 0 }
    expect((await answered({ body: [lines(start, ...pieces, end, done)] })).at(-2)).toEqual({
      ...end,
      arguments: { a: [1] },
    })
    const other = { ...end, arguments: { b: 2 } }
    expect((await answered({ body: [lines(start, ...pieces, other, done)] })).at(-2)).toEqual(other)
  })

  const broken: readonly [string, RawAnswer, string, string][] = [
    ['no JSON', { body: ['{"type"\n'] }, 'network', 'a line that is not JSON'],
    ['an invalid delta', { body: [lines({ type: 'text_delta' })] }, 'network', 'an invalid text_delta'],
    ['an end without `done`', { body: [lines({ type: 'start' })] }, 'early_end', 'before it was complete'],
    ['a web page', { headers: { 'content-type': 'text/html' }, body: ['<h1>'] }, 'bad_request', '"text/html"'],
    ['a failure without details', { body: [lines({ type: 'failure' })] }, 'network', 'did not say how'],
    ['a cut connection', { body: [lines({ type: 'start' })], ending: 'cut' }, 'network', 'could not be reached'],
    ['a redirect', { status: 307, headers: { location: '/v2' } }, 'bad_request', 'which rxpi does not follow'],
    ['a gateway', { status: 503, body: ['busy'] }, 'overloaded', 'the proxy answered 503: busy'],
  ]
  it.each(broken)('is a typed failure for %s', async (_, answer, kind, message) => {
    const failure = await failed(answer)
    expect(failure).toMatchObject({ code: 'provider_error', data: { kind } })
    expect(failure.message).toContain(message)
  })

  it.each([
    ['not_allowed', 'auth'],
    ['bad_request', 'bad_request'],
    ['message_too_large', 'bad_request'],
    ['overloaded', 'overloaded'],
    ['internal', 'overloaded'],
  ])('maps the error code %s to the kind %s', async (code, kind) => {
    const failure = await failed({ status: 400, body: [JSON.stringify({ error: { code, message: 'No.' } })] })
    expect(failure).toMatchObject({ code: 'provider_error', message: 'No.', data: { kind } })
  })

  it('never contains the token', async () => {
    const fetch = () => Promise.reject(new TypeError(`no ${token} here`))
    expect((await failed({}, { fetch })).message).toBe('the proxy could not be reached: no [key] here')
    expect((await failed({}, { token: 'with a space' })).data.kind).toBe('auth')
    const echo = `got Bearer ${token}`
    expect((await failed({ status: 403, body: [echo] })).message).toContain('got Bearer [key]')
    const body = [JSON.stringify({ error: { code: 'not_allowed', message: echo } })]
    expect((await failed({ status: 401, body })).message).toBe('got Bearer [key]')
  })
})
