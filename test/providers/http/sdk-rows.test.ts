// Tests streams that a vendor's SDK handles wrongly: the adapter handles each one correctly.
// Each row runs against a raw server, over the four APIs and a declared one.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { firstValueFrom, lastValueFrom, of, timeout, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { Fetch } from '../../../lib/providers/http/guarded-fetch.ts'
import type { EndpointOptions } from '../../../lib/providers/adapter/sdk-response.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import type { RawAnswer } from '../../support/raw-sse-server.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { aRequest } from '../offline/a-request.ts'
import { foldDeltas } from '../offline/fold-deltas.ts'
import { declaredWire } from '../custom/custom-api.ts'
import { testedApis } from '../adapter/tested-apis.ts'
import type { TestedApi } from '../adapter/tested-apis.ts'
import { aUser } from '../adapter/messages.ts'

const none = { defaultValue: [] }

function deltas$(wire: TestedApi, options: Omit<EndpointOptions, 'provider'>) {
  const model: Model = { id: 'm', provider: 'maker', api: wire.api, inputs: ['text'], reasoning: false }
  return wire.provider({ provider: 'maker', ...options })(aRequest({ model, messages: [aUser('Hello')] }))
}

async function failed(wire: TestedApi, answer: RawAnswer): Promise<Failure> {
  await using server = await rawSseServer(answer)
  const error: unknown = await lastValueFrom(deltas$(wire, { baseUrl: server.url }), none).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof Failure) return error
  throw new Error('it did not fail')
}

describe.each([...testedApis, declaredWire])('$api', (wire) => {
  it('cancels the request when its subscriber leaves, and emits nothing more', async () => {
    await using server = await rawSseServer({ body: wire.begun, ending: 'stall' })
    await firstValueFrom(deltas$(wire, { baseUrl: server.url }), none)
    await (
      await server.request(0)
    ).abandoned
  })

  it('fails if the body ends without its last event [PORT-early_end]', async () => {
    expect((await failed(wire, { body: wire.begun })).data.kind).toBe('early_end')
  })

  it('fails with the code of the cause if the socket is reset', async () => {
    const { data } = await failed(wire, { body: wire.begun, ending: 'reset' })
    expect(data).toMatchObject({
      kind: 'network',
      systemCode: expect.stringMatching(/UND_ERR_SOCKET|ECONNRESET/) as string,
    })
  })

  it('ends with the last event if the body stays open', async () => {
    await using server = await rawSseServer({ body: [...wire.begun, ...wire.end], ending: 'stall' })
    const deltas = await lastValueFrom(deltas$(wire, { baseUrl: server.url }).pipe(toArray()), none)
    expect(foldDeltas(deltas).content).toEqual([{ type: 'text', text: 'a' }])
    await (
      await server.request(0)
    ).abandoned
  })

  it('lets whoever watches it end a body that stands still', async () => {
    await using server = await rawSseServer({ body: wire.begun, ending: 'stall' })
    const watched$ = deltas$(wire, { baseUrl: server.url }).pipe(timeout({ first: 10_000, each: 100 }))
    await expect(lastValueFrom(watched$, none)).rejects.toThrow('Timeout')
    await (
      await server.request(0)
    ).abandoned
  })

  it('fails by an error in the middle that has no event line', async () => {
    const failure = await failed(wire, { body: [...wire.begun, wire.error] })
    expect(failure).toMatchObject({
      message: expect.stringContaining('It broke') as string,
      data: { kind: 'overloaded' },
    })
  })

  it('fails by a frame that is no JSON', async () => {
    expect((await failed(wire, { body: [...wire.begun, 'data: {"a": \n\n'] })).data.kind).toBe('network')
  })

  it('fails if the response is no stream of events, whatever its content type', async () => {
    const page = ['<html><body>Sign in</body></html>']
    expect((await failed(wire, { body: page })).data.kind).toBe('early_end')
    expect((await failed(wire, { headers: { 'content-type': 'text/html' }, body: page })).data.kind).toBe('bad_request')
  })

  it.each([408, 409, 429, 500, 503, 529])('gets one request if it answers %i', async (status) => {
    await using server = await rawSseServer({
      status,
      headers: { 'retry-after': '0' },
      body: ['{"error":{"message":"no"}}'],
    })
    await expect(lastValueFrom(deltas$(wire, { baseUrl: server.url }), none)).rejects.toMatchObject({
      data: { status },
    })
    expect(server.requests).toHaveLength(1)
  })

  it('follows no redirect to another origin with its key [S11g]', async () => {
    await using other = await rawSseServer({ body: [...wire.begun, ...wire.end] })
    await using server = await rawSseServer({ status: 307, headers: { location: `${other.url}/v1` } })
    const sentRequests = lastValueFrom(deltas$(wire, { baseUrl: server.url, apiKey$: of('sk-secret-1') }), none)
    await expect(sentRequests).rejects.toMatchObject({ data: { kind: 'bad_request', status: 307 } })
    expect(other.requests).toHaveLength(0)
  })

  const requests = sampleSize(100, 1_000)
  it(`holds on to nothing of ${requests} requests`, async () => {
    const signals: WeakRef<AbortSignal>[] = []
    const warnings: Error[] = []
    const warn = (warning: Error): unknown => warnings.push(warning)
    const fetch: Fetch = (_, init) => {
      if (init?.signal) signals.push(new WeakRef(init.signal))
      const headers = { 'content-type': 'text/event-stream' }
      return Promise.resolve(new Response([...wire.begun, ...wire.end].join(''), { headers }))
    }
    process.on('warning', warn)
    const answer$ = deltas$(wire, { baseUrl: 'http://nowhere.invalid', fetch })
    for (let request = 0; request < requests; request++) await lastValueFrom(answer$, none)
    await collected()
    process.off('warning', warn)
    expect(signals).toHaveLength(requests)
    expect(signals.filter((signal) => signal.deref() !== undefined).length).toBeLessThan(50)
    expect(warnings).toEqual([])
  })
})

/** Runs a full garbage collection after the waiting tasks. */
async function collected(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    gc()
  }
}
