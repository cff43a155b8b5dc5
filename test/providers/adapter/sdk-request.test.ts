// Tests the requests after the first one through a vendor's SDK, whose client is reused.
import { defer, lastValueFrom, of, take, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { httpFetch } from '../../../lib/host/http/http-fetch.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import type { UserMessage } from '../../../lib/streams/messages/message.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import type { RawAnswer } from '../../support/raw-sse-server.ts'
import { aRequest } from '../offline/a-request.ts'
import { foldDeltas } from '../offline/fold-deltas.ts'
import { testedApis } from './tested-apis.ts'
import type { TestedApi } from './tested-apis.ts'
import { aUser } from './messages.ts'

const overSdk = testedApis.filter(({ api }) => api !== 'google-generative-ai')
const key = 'sk-secret-1'
const none = { defaultValue: [] }

/** A provider over `httpFetch`; each key serves one request. */
function endpoint(wire: TestedApi, baseUrl: string, keys: readonly string[] = []) {
  const model: Model = { id: 'm', provider: 'maker', api: wire.api, inputs: ['text'], reasoning: false }
  const left = [...keys]
  const apiKey$ = defer(() => of(left.shift() ?? key))
  const provider = wire.provider({ provider: 'maker', baseUrl, apiKey$, headers: { 'x-own': '1' }, fetch: httpFetch })
  return (output: string | readonly UserMessage[]) =>
    provider(aRequest({ model, messages: typeof output === 'string' ? [aUser(output)] : output }))
}

function answersOf(wire: TestedApi): RawAnswer {
  return { body: [...wire.begun, ...wire.end] }
}

/** Answers the first request normally and each later one with `answer`. */
function behindFirst(wire: TestedApi, answer: RawAnswer) {
  return rawSseServer((_, number) => (number === 0 ? answersOf(wire) : answer))
}

async function outcome(delta$: Observable<AssistantDelta>): Promise<unknown> {
  try {
    return foldDeltas(await lastValueFrom(delta$.pipe(toArray()), none)).content
  } catch (error) {
    return error
  }
}

describe.each(overSdk)('a second request of $api', (wire) => {
  it('has the address and the headers of the first, and a body of its own', async () => {
    await using server = await rawSseServer(answersOf(wire))
    const ask$ = endpoint(wire, server.url)
    for (const text of ['one', 'the ü other']) expect(await outcome(ask$(text))).toEqual([{ type: 'text', text: 'a' }])
    const [first, second] = server.requests
    const heads = [first, second].map((request) => {
      const { 'content-length': length, ...headers } = request?.headers ?? {}
      expect(Number(length)).toBe(Buffer.byteLength(request?.body ?? ''))
      return { method: request?.method, path: request?.path, headers }
    })
    expect(heads[1]).toEqual(heads[0])
    expect(heads[1]?.headers).toMatchObject({ 'x-own': '1', 'user-agent': 'rxpi' })
    expect(JSON.stringify(heads[1]?.headers)).toContain(key)
    expect([first?.body.includes('one'), second?.body.includes('the ü other')]).toEqual([true, true])
    expect(server.sockets).toBe(1)
  })

  it('carries the whole conversation, turn after turn', async () => {
    await using server = await rawSseServer(answersOf(wire))
    const ask$ = endpoint(wire, server.url)
    const messages = ['one', 'two', 'ü "three"\n'].map((text) => aUser(text))
    for (let turn = 1; turn <= 3; turn += 1) await outcome(ask$(messages.slice(0, turn)))
    await outcome(endpoint(wire, server.url)(messages)) // the first request of a new client
    const bodies = server.requests.map(({ body }) => JSON.parse(body) as unknown)
    expect(bodies[2]).toEqual(bodies[3])
    expect(bodies[1]).not.toEqual(bodies[2])
  })

  it('uses its own key, also a changed one, and never another’s', async () => {
    await using server = await rawSseServer(answersOf(wire))
    const keys = ['sk-first', 'sk-second', 'sk-second', 'sk-first']
    const ask$ = endpoint(wire, server.url, keys)
    for (const each of keys) await outcome(ask$(each))
    const sent = server.requests.map(({ headers }) => /sk-\w+/.exec(JSON.stringify(headers))?.[0])
    expect(sent).toEqual(keys)
  })

  it.each([
    [
      'an error',
      { status: 429, headers: { 'retry-after': '3' }, body: [`{"error":{"message":"${key} is too quick"}}`] },
    ],
    ['an error without a word', { status: 500 }],
    ['a page', { headers: { 'content-type': 'text/html' }, body: ['<h1>Welcome</h1>'] }],
    ['nothing', { status: 204 }],
    ['a document', { headers: { 'content-type': 'application/json' }, body: ['{"error":{"message":"no"}}'] }],
    ['a redirect elsewhere', { status: 307, headers: { location: 'http://127.0.0.1:1/v1' } }],
    ['a cut body', { body: wire.begun, ending: 'cut' }],
  ] satisfies [string, RawAnswer][])('fails for %s as the first does, asked once', async (_, answer) => {
    await using alone = await rawSseServer(answer)
    const failure = await outcome(endpoint(wire, alone.url)('x'))
    await using server = await behindFirst(wire, answer)
    const ask$ = endpoint(wire, server.url)
    await outcome(ask$('x'))
    const second = await outcome(ask$('x'))
    expect(second).toBeInstanceOf(Error)
    expect(second).toEqual(failure)
    expect(second).toMatchObject({ code: 'provider_error', message: expect.not.stringContaining(key) as string })
    expect(server.requests).toHaveLength(2)
  })

  it('follows a redirect within the origin, with its headers and body', async () => {
    await using server = await rawSseServer(({ path }, number) =>
      number === 1 && path !== '/new' ? { status: 307, headers: { location: '/new' } } : answersOf(wire),
    )
    const ask$ = endpoint(wire, server.url)
    await outcome(ask$('x'))
    expect(await outcome(ask$('y'))).toEqual([{ type: 'text', text: 'a' }])
    const [, second, third] = server.requests
    expect([third?.method, third?.path, third?.body]).toEqual(['POST', '/new', second?.body])
    expect(third?.headers).toEqual(second?.headers)
  })

  it.each(['silent', 'stall'] as const)(
    'is cancelled when its subscriber leaves while the server is %s',
    async (ending) => {
      await using server = await behindFirst(wire, { body: wire.begun, ending })
      const ask$ = endpoint(wire, server.url)
      await outcome(ask$('x'))
      const subscription = ask$('y').subscribe()
      const request = await server.request(1)
      if (ending === 'stall') await request.written
      subscription.unsubscribe()
      await request.abandoned
    },
  )

  it('leaves its connection to the next request, even if its subscriber leaves at the end', async () => {
    await using server = await rawSseServer(answersOf(wire))
    const ask$ = endpoint(wire, server.url)
    for (let request = 0; request < 5; request++) await lastValueFrom(ask$('x').pipe(take(1_000)), none)
    expect([server.requests.length, server.sockets]).toEqual([5, 1])
  })
})
