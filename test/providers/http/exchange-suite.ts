// Tests each recorded exchange of an API against its reference.
// Each is sent whole over HTTP, and cut at random through the SDK's fetch option.
// Guarantees: a recording of several answers is compared answer by answer. Its reference is that of all of them: text,
// thinking and calls are joined; usage and finish reason are those of the last answer.
import { lastValueFrom, materialize, toArray } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fetch } from '../../../lib/providers/http/guarded-fetch.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { AssistantMessage, Usage } from '../../../lib/streams/messages/message.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import type { Provider } from '../../../lib/streams/ports/provider.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import type { RawSseServer } from '../../support/raw-sse-server.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { aRequest } from '../offline/a-request.ts'
import { foldDeltas } from '../offline/fold-deltas.ts'
import { expectCounted } from './fixture-table.ts'
import { answersOf, cutAtRandom, recordedExchanges } from './recorded-exchange.ts'
import type { RecordedExchange, Reference } from './recorded-exchange.ts'

export interface ExchangeSuite {
  /** The folder of its fixtures. */
  readonly folder: string
  /** False: no recording of this API exists. Default true. */
  readonly isRecorded?: boolean
  readonly model: Model
  provider(options: { readonly baseUrl: string; readonly fetch?: Fetch }): Provider
  /** The stop reason of the message for the provider's finish reason. */
  stopReason(reference: Reference): string
  expectUsage(usage: Usage, reported: Readonly<Record<string, unknown>>): void
  /** The failure, if the reference reports it in another form, for example a refusal; undefined if there is none. */
  failure?(exchange: RecordedExchange & { readonly reference: Reference }): object | undefined
  /** The wire text of the response to a request that continues a paused answer; undefined for a first request. */
  continuation?(body: unknown): string | undefined
  /** Compares the calls, if the reference needs another reading. */
  calls?(message: AssistantMessage, reference: Reference, id: string): void
}

interface Answered {
  readonly message: AssistantMessage
  readonly error: unknown
}

export function exchangeSuite(suite: ExchangeSuite): void {
  const { isRecorded = true } = suite
  const { own, recorded } = recordedExchanges(suite.folder, { isRecorded })
  const all = [...own, ...recorded]
  const passed: RecordedExchange[] = []
  let server: RawSseServer
  beforeAll(async () => {
    server = await rawSseServer(({ path, json }) => {
      const [exchange, answer] = path.split('/').slice(1).map(Number)
      const { response } = all[exchange ?? -1] ?? {}
      if (response === undefined) return { status: 404 }
      const { status, headers, body_chunks: chunks } = response
      const part = suite.continuation?.(json()) ?? answersOf(chunks.join(''))[answer ?? -1]
      return { status, headers, body: part === undefined ? chunks : [part] }
    })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  async function ask(options: { readonly baseUrl: string; readonly fetch?: Fetch }): Promise<Answered> {
    const { model } = suite
    const messages = [{ role: 'user', content: 'Hello', timestamp: 0 } as const]
    const answer$ = suite.provider(options)(aRequest({ model, messages }))
    const notifications = await lastValueFrom(answer$.pipe(materialize(), toArray()), { defaultValue: [] })
    const last = notifications.at(-1)
    return {
      message: foldDeltas(notifications.flatMap((found) => (found.kind === 'N' ? [found.value] : []))),
      error: last?.kind === 'E' ? last.error : undefined,
    }
  }

  async function foldsToItsReference(exchange: RecordedExchange): Promise<void> {
    const url = `${server.url}/${all.indexOf(exchange)}`
    const wires = answersOf(exchange.response.body_chunks.join(''))
    const whole = await ask({ baseUrl: `${url}/all` })
    const answers =
      wires.length === 1 ? [whole] : await inOrder(wires, (_, answer) => ask({ baseUrl: `${url}/${answer}` }))
    // of the answers behind the first terminal event only the usage counts
    const { content, stopReason } = whole.message
    expect(answers[0]?.message).toMatchObject({ content, stopReason })
    expectReference(suite, answers, exchange)
    for (const shortest of [false, true]) {
      const cut = await inOrder(wires, (wire) => {
        const longest = shortest ? longestPiece(wire) : undefined
        const fetch: Fetch = (_, init) => {
          const text = suite.continuation?.(JSON.parse(init?.body as string)) ?? wire
          return Promise.resolve(answer(exchange, cutAtRandom(text, longest)))
        }
        return ask({ baseUrl: 'http://nowhere.invalid', fetch })
      })
      expectReference(suite, cut, exchange)
      expect(cut.map(({ message }) => message)).toEqual(answers.map(({ message }) => message))
    }
  }

  describe('the exchanges of the project', () => {
    it.each(own)('$id', foldsToItsReference)
  })
  describe.runIf(isRecorded)('the recorded exchanges', () => {
    if (recorded.length > 0) {
      it.each(recorded)('$id', async (exchange) => {
        await foldsToItsReference(exchange)
        passed.push(exchange)
      })
      it('are counted in docs/providers.md', () => {
        const errors = passed.filter(({ reference }) => 'http_error' in reference).length
        expectCounted(suite.model.api, [recorded.length, passed.length - errors, errors, own.length])
      })
    } else it.skip('are not here: RXPI_FIXTURES does not name their folder')
  })
}

/** Each byte by itself; a long answer in pieces of a few bytes, because a piece costs more than what is in it. */
function longestPiece(wire: string): number {
  return wire.length > sampleSize(3_000, Infinity) ? 12 : 1
}

function answer({ response: { status, headers } }: RecordedExchange, pieces: readonly Uint8Array[]): Response {
  const rest = pieces[Symbol.iterator]()
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const next = rest.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
  })
  return new Response(body, { status, headers })
}

async function inOrder<T, R>(items: readonly T[], each: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const [index, item] of items.entries()) results.push(await each(item, index))
  return results
}

/** Compares the answers, joined, with the reference. Every answer before the last ends without an error. */
function expectReference(suite: ExchangeSuite, answers: readonly Answered[], exchange: RecordedExchange): void {
  const { reference } = exchange
  const last = answers.at(-1)
  if (last === undefined) throw new Error(`${exchange.id} has no answer`)
  if ('http_error' in reference) {
    expectHttpError(last.error, exchange.response.headers, reference)
    return
  }
  const earlier = answers.slice(0, -1)
  for (const { message, error } of earlier) {
    expect(error).toBeUndefined()
    expect(message.stopReason).toBe(callsOf(message).length > 0 ? 'toolUse' : 'stop')
  }
  const message = { ...last.message, content: answers.flatMap((answered) => answered.message.content) }
  expect(joined(message, 'text')).toBe(reference.text)
  expect(joined(message, 'thinking')).toBe(reference.thinking)
  if (suite.calls === undefined) expect(callsOf(message)).toEqual(reference.tool_calls)
  else suite.calls(message, reference, exchange.id)
  if (reference.usage !== null) suite.expectUsage(message.usage, reference.usage)
  const failure = suite.failure?.({ ...exchange, reference })
  if (failure !== undefined) expect(last.error).toMatchObject(failure)
  else if (reference.error === null) {
    expect(last.error).toBeUndefined()
    const ownCalls = earlier.length === 0 ? reference.tool_calls : reference.tool_calls.slice(callCount(earlier))
    expect(message.stopReason).toBe(suite.stopReason({ ...reference, tool_calls: ownCalls }))
  } else expect(last.error).toMatchObject({ message: expect.stringContaining(messageIn(reference.error)) as string })
}

function callCount(answers: readonly Answered[]): number {
  return answers.reduce((sum, { message }) => sum + callsOf(message).length, 0)
}

function expectHttpError(
  error: unknown,
  headers: Readonly<Record<string, string>>,
  reference: { readonly http_error: number; readonly body: unknown },
): void {
  expect(error).toBeInstanceOf(Failure)
  const seconds = headers['retry-after']
  expect(error).toMatchObject({
    code: 'provider_error',
    data: {
      status: reference.http_error,
      ...(seconds === undefined ? {} : { retryAfterMs: Number(seconds) * 1000 }),
    },
    message: expect.stringContaining(messageIn(reference.body)) as string,
  })
}

function joined({ content }: AssistantMessage, kind: 'text' | 'thinking'): string {
  return content
    .map((block) => (block.type !== kind ? '' : block.type === 'text' ? block.text : block.thinking))
    .join('')
}

/** Returns the calls in the reference's form. */
export function callsOf({ content }: AssistantMessage): Reference['tool_calls'] {
  return content.flatMap((block) =>
    block.type === 'toolCall' ? [{ id: block.id, name: block.name, arguments: block.arguments }] : [],
  )
}

function messageIn(body: unknown): string {
  const { error, message } = body as { error?: { message: string }; message?: string }
  return error?.message ?? message ?? 'no message in the reference'
}
