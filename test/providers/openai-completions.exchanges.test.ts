import { lastValueFrom, materialize, toArray } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAiCompletions } from '../../lib/providers/openai-completions.ts'
import type { OpenAiCompletionsOptions } from '../../lib/providers/openai-completions.ts'
import { Failure } from '../../lib/streams/failure.ts'
import type { AssistantMessage, Usage } from '../../lib/streams/message.ts'
import type { Model } from '../../lib/streams/model.ts'
import { rawSseServer } from '../support/raw-sse-server.ts'
import type { RawSseServer } from '../support/raw-sse-server.ts'
import { aRequest } from './a-request.ts'
import { foldDeltas } from './fold-deltas.ts'
import { cutAtRandom, recordedExchanges } from './recorded-exchange.ts'
import type { RecordedExchange, Reference } from './recorded-exchange.ts'

const { own, recorded } = recordedExchanges('openai-chat')
const all = [...own, ...recorded]
const model: Model = { id: 'm', provider: 'maker', api: 'openai-completions', inputs: ['text'], reasoning: false }

let server: RawSseServer
beforeAll(async () => {
  server = await rawSseServer(({ path }) => {
    const exchange = all[Number(path.split('/')[1])]
    if (exchange === undefined) return { status: 404 }
    const { status, headers, body_chunks: body } = exchange.response
    return { status, headers, body }
  })
})
afterAll(() => server[Symbol.asyncDispose]())

describe('the exchanges of the project', () => {
  it.each(own)('$id', foldsToItsReference)
})

describe('the recorded exchanges', () => {
  if (recorded.length > 0) it.each(recorded)('$id', foldsToItsReference)
  else it.skip('are not here: RXPI_FIXTURES does not name their folder')
})

async function foldsToItsReference(exchange: RecordedExchange): Promise<void> {
  const whole = await ask({ baseUrl: `${server.url}/${all.indexOf(exchange)}` })
  expectReference(whole, exchange)
  const wire = exchange.response.body_chunks.join('')
  for (const pieces of [cutAtRandom(wire), cutAtRandom(wire, 1)]) {
    const cut = await ask({ baseUrl: 'http://nowhere.invalid', fetch: () => Promise.resolve(answer(exchange, pieces)) })
    expectReference(cut, exchange)
    expect(cut.message).toEqual(whole.message)
  }
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

interface Answered {
  readonly message: AssistantMessage
  readonly error: unknown
}

async function ask(options: Pick<OpenAiCompletionsOptions, 'baseUrl' | 'fetch'>): Promise<Answered> {
  const provider = openAiCompletions({ provider: 'maker', ...options })
  const notifications = await lastValueFrom(provider(aRequest({ model })).pipe(materialize(), toArray()), {
    defaultValue: [],
  })
  const last = notifications.at(-1)
  return {
    message: foldDeltas(notifications.flatMap((found) => (found.kind === 'N' ? [found.value] : []))),
    error: last?.kind === 'E' ? last.error : undefined,
  }
}

function expectReference({ message, error }: Answered, { reference, response }: RecordedExchange): void {
  if ('http_error' in reference) {
    expect(error).toBeInstanceOf(Failure)
    const seconds = response.headers['retry-after']
    expect(error).toMatchObject({
      code: 'provider_error',
      data: {
        status: reference.http_error,
        ...(seconds === undefined ? {} : { retryAfterMs: Number(seconds) * 1000 }),
      },
      message: expect.stringContaining(messageIn(reference.body)) as string,
    })
    return
  }
  expect(contentOf(message)).toEqual({
    text: reference.text,
    thinking: reference.thinking,
    calls: reference.tool_calls,
  })
  if (reference.usage !== null) expectUsage(message.usage, reference.usage)
  if (reference.error === null) expect(error).toBeUndefined()
  else
    expect(error).toMatchObject({ message: expect.stringContaining(messageIn({ error: reference.error })) as string })
  if (reference.error === null) expect(message.stopReason).toBe(stopReason(reference))
}

function contentOf({ content }: AssistantMessage) {
  const joined = (kind: 'text' | 'thinking') =>
    content.map((block) => (block.type !== kind ? '' : block.type === 'text' ? block.text : block.thinking)).join('')
  return {
    text: joined('text'),
    thinking: joined('thinking'),
    calls: content.flatMap((block) =>
      block.type === 'toolCall' ? [{ id: block.id, name: block.name, arguments: block.arguments }] : [],
    ),
  }
}

/** The reference keeps the provider's own word; calls decide more than it does. */
function stopReason({ finish_reason: reason, tool_calls: calls }: Reference): string {
  if (reason === 'length') return 'length'
  return calls.length > 0 ? 'toolUse' : 'stop'
}

/** What the provider counted is all there, once. */
function expectUsage(usage: Usage, reported: Readonly<Record<string, unknown>>): void {
  const details = (reported['completion_tokens_details'] ?? {}) as Record<string, number>
  const reasoning = details['reasoning_tokens'] ?? 0
  const completion = Number(reported['completion_tokens'])
  expect(usage.input + usage.cacheRead + usage.cacheWrite).toBe(reported['prompt_tokens'])
  expect([completion, completion + reasoning]).toContain(usage.output)
  expect(usage.totalTokens).toBe(reported['total_tokens'])
  expect(usage.reasoning ?? 0).toBe(reasoning)
}

function messageIn(body: unknown): string {
  return (body as { error: { message: string } }).error.message
}
