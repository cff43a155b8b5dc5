// Tests a declaration's requests and failures, and that its functions cannot break the stream.
import { lastValueFrom, of, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { customResponse } from '../../../lib/providers/custom/custom-response.ts'
import type { AnyDeclaration, DeclaredError } from '../../../lib/providers/custom/provider-declaration.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import type { RawAnswer, RawRequest } from '../../support/raw-sse-server.ts'
import { aRequest } from '../offline/a-request.ts'
import { ownDeclaration } from './custom-api.ts'
import { foldDeltas } from '../offline/fold-deltas.ts'
import { aUser } from '../adapter/messages.ts'
import { frame } from '../openai/openai-chunks.ts'

const model: Model = { id: 'big/one', provider: 'own', api: 'own', inputs: ['text'], reasoning: false }
const whole: RawAnswer = { body: [frame({ response: 'a', end: true })] }

interface Outcome {
  readonly deltas: readonly AssistantDelta[]
  readonly failure: Failure | undefined
  readonly requests: readonly RawRequest[]
}

async function sentRequests(answer: RawAnswer, more: Partial<AnyDeclaration> = {}, base = '/v1'): Promise<Outcome> {
  await using server = await rawSseServer(answer)
  const declaration = ownDeclaration(more)
  const { headers = {} } = declaration
  const apiKey$ = of(more.auth === undefined ? undefined : 'key-12345')
  const provider = customResponse({ declaration, provider: 'own', baseUrl: `${server.url}${base}`, headers, apiKey$ })
  const deltas: AssistantDelta[] = []
  let failure: unknown
  await new Promise<void>((resolve) => {
    provider(aRequest({ model, messages: [aUser('Hello')] })).subscribe({
      next: (delta) => deltas.push(delta),
      error: (error: unknown) => {
        failure = error
        resolve()
      },
      complete: resolve,
    })
  })
  if (failure !== undefined) expect(failure).toBeInstanceOf(Failure)
  return { deltas, failure: failure instanceof Failure ? failure : undefined, requests: server.requests }
}

describe('the request', () => {
  it('has the path below the base URL, a JSON body, the headers and the key', async () => {
    const auth = { variable: 'K', header: 'X-Own-Key', prefix: 'own:' }
    const { requests } = await sentRequests(whole, { auth, headers: { 'x-project': 'p1' } })
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/v1/run/big/one' })
    expect(requests[0]?.headers).toMatchObject({
      'x-own-key': 'own:key-12345',
      'x-project': 'p1',
      'content-type': 'application/json',
    })
    expect(requests[0]?.json()).toEqual({ system: '', turns: ['user'] })
  })

  it('has a Bearer key if the declaration names no header, and no key without `auth`', async () => {
    const { requests } = await sentRequests(whole, { auth: { variable: 'K' } })
    expect(requests[0]?.headers.authorization).toBe('Bearer key-12345')
    expect((await sentRequests(whole)).requests[0]?.headers.authorization).toBeUndefined()
  })

  it.each([
    ['', '/v1', '/v1'],
    ['', '/v1/', '/v1/'],
    ['/chat', '/v1/', '/v1/chat'],
    ['chat?stream=1&a=b?c', '/v1', '/v1/chat?stream=1&a=b?c'],
    ['m:generate', '', '/m:generate'],
    ['http://elsewhere.invalid/x', '/v1', '/v1/http://elsewhere.invalid/x'],
    ['//elsewhere.invalid/x', '/v1', '/v1/elsewhere.invalid/x'],
  ])('joins the path %j and the base path %j to %j', async (path, base, expected) => {
    const { requests } = await sentRequests(whole, { buildRequest: () => ({ path, body: {} }) }, base)
    expect(requests[0]?.path).toBe(expected)
  })

  it('is not sent if the path leaves the base URL', async () => {
    const { requests, failure } = await sentRequests(whole, { buildRequest: () => ({ path: '../admin', body: {} }) })
    expect({ requests, kind: failure?.data.kind }).toEqual({ requests: [], kind: 'bad_request' })
    expect(failure?.message).toContain('"../admin", which leaves')
  })
})

describe('the response', () => {
  it('may be one JSON document', async () => {
    const result = { response: 'all', usage: { in: 3, out: 4 } }
    const body = [JSON.stringify({ result })]
    const { deltas, failure } = await sentRequests({
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body,
    })
    expect(failure).toBeUndefined()
    expect(foldDeltas(deltas).content).toEqual([{ type: 'text', text: 'all' }])
    expect(deltas.at(-1)).toMatchObject({ stopReason: 'stop', usage: { input: 3, output: 4, totalTokens: 7 } })
  })

  it('ends at [DONE] without passing it to the parser', async () => {
    const received: unknown[] = []
    const parseStreamChunk = (chunk: { response: string }) => {
      received.push(chunk)
      return { text: chunk.response }
    }
    const { failure } = await sentRequests(
      { body: [frame({ response: 'a' }), 'data: [DONE]\n\n'] },
      { parseStreamChunk },
    )
    expect({ failure, received }).toEqual({ failure: undefined, received: [{ response: 'a' }] })
  })

  it('is priced by the prices of the model', async () => {
    const answer = { body: [frame({ usage: { in: 1_000_000, out: 0 } }), frame({ end: true })] }
    await using server = await rawSseServer(answer)
    const provider = customResponse({ declaration: ownDeclaration(), provider: 'own', baseUrl: server.url })
    const priced = { ...model, prices: { input: 2, output: 4 } }
    const deltas = await lastValueFrom(provider(aRequest({ model: priced })).pipe(toArray()), { defaultValue: [] })
    expect(deltas.at(-1)).toMatchObject({ usage: { cost: { total: 2 } } })
  })

  it('fails with the name of the missing parser', async () => {
    const json: RawAnswer = { headers: { 'content-type': 'application/json' }, body: ['{}'] }
    const { failure } = await sentRequests(json, { parseResponse: undefined } as never)
    expect(failure?.message).toBe(
      'The declaration of the provider own: it answered with a whole JSON document, but has no parseResponse.',
    )
    expect((await sentRequests(whole, { parseStreamChunk: undefined } as never)).failure?.message).toContain(
      'has no parseStreamChunk',
    )
  })
})

describe('failures', () => {
  it.each([
    [{ 3036: 'rate_limit' } as const, 'rate_limit'],
    [{ 403: 'overloaded' } as const, 'overloaded'],
    [{ 3036: 'refused', 403: 'overloaded' } as const, 'refused'],
    [{ 500: 'overloaded' } as const, 'auth'],
    [undefined, 'auth'],
  ])('have the kind from the error map %j: %s', async (errorMap, kind) => {
    const body = [JSON.stringify({ success: false, errors: [{ code: 3036, message: 'Account limited' }] })]
    const { failure } = await sentRequests({ status: 403, body }, errorMap === undefined ? {} : { errorMap })
    expect(failure?.data).toMatchObject({ kind, status: 403, providerCode: '3036' })
    expect(failure?.message).toBe('own answered 403: Account limited')
  })

  it('have the kind that an error map function returns, also in the middle of a stream', async () => {
    const received: DeclaredError[] = []
    const errorMap = (error: DeclaredError) => {
      received.push(error)
      return 'refused' as const
    }
    const error = { code: 'toxic', message: 'Not this' }
    const { failure, deltas } = await sentRequests({ body: [frame({ response: 'a' }), frame({ error })] }, { errorMap })
    expect(foldDeltas(deltas).content).toEqual([{ type: 'text', text: 'a' }])
    expect({ received, kind: failure?.data.kind }).toEqual({ received: [error], kind: 'refused' })
  })

  it('can come from the parser', async () => {
    const parseStreamChunk = () => ({ error: { message: 'Quota', status: 429, code: 17 } })
    const { failure } = await sentRequests(whole, { parseStreamChunk })
    expect(failure?.data).toEqual({ kind: 'rate_limit', status: 429, providerCode: '17' })
  })

  it.each([
    ['retry-after', '2'],
    ['retry-after-ms', '2000'],
  ])('have the time to wait from the header %s', async (header, value) => {
    const { failure } = await sentRequests({ status: 429, headers: { [header]: value }, body: ['slow down'] })
    expect(failure?.data).toEqual({ kind: 'rate_limit', status: 429, retryAfterMs: 2000 })
  })

  it('never contain a key', async () => {
    const body = ['{"error":{"message":"bad key key-12345"}}']
    const { failure } = await sentRequests(
      { status: 401, body },
      { auth: { variable: 'K', header: 'x-own', prefix: 'v ' } },
    )
    expect(failure?.message).toBe('own answered 401: bad key [key]')
  })
})

describe('a bug in a function of the declaration', () => {
  const bug = (): never => {
    throw new TypeError('x is not a function')
  }
  const cases: readonly [string, Partial<AnyDeclaration>, RawAnswer][] = [
    ['buildRequest threw: x is not a function', { buildRequest: bug }, whole],
    ['parseStreamChunk of the provider own threw: x is not a function', { parseStreamChunk: bug }, whole],
    [
      'parseResponse of the provider own threw: x is not a function',
      { parseResponse: bug },
      { headers: { 'content-type': 'application/json' }, body: ['{}'] },
    ],
    ['errorMap threw: x is not a function', { errorMap: bug }, { status: 500, body: ['{}'] }],
    ['returned no body', { buildRequest: () => ({ body: undefined }) }, whole],
    ['returned no request', { buildRequest: () => undefined as never }, whole],
    ['returned a body that is not JSON', { buildRequest: () => ({ body: { tokens: 1n } }) }, whole],
    ['returned headers that cannot be sent', { buildRequest: () => ({ body: {}, headers: { 'x-a': 'a\nb' } }) }, whole],
    ['parts that do not fit: /text must be text', { parseStreamChunk: () => ({ text: 42 }) as never }, whole],
    ['has the unknown field "txt"', { parseStreamChunk: () => ({ txt: '' }) as never }, whole],
    ['it must be an object', { parseStreamChunk: () => 'text' as never }, whole],
  ]
  it.each(cases)('fails with kind bad_request and is not retried: %s', async (message, more, answer) => {
    const { failure } = await sentRequests(answer, more)
    expect(failure?.data.kind).toBe('bad_request')
    expect(failure?.message).toContain(message)
  })
})
