// Tests answers of the Messages API that pause and continue.
import { lastValueFrom, materialize, takeWhile, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { anthropicMessages } from '../../../lib/providers/endpoints/apis.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import type { AssistantMessage } from '../../../lib/streams/messages/message.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import type { RawAnswer, RawSseServer } from '../../support/raw-sse-server.ts'
import { aUser } from '../adapter/messages.ts'
import { aRequest } from '../offline/a-request.ts'
import { foldDeltas } from '../offline/fold-deltas.ts'
import { block, callBlock, messageEnd, messageStart, textBlock, thinkingBlock } from './anthropic-events.ts'

const prices = { input: 1, output: 2, tiers: [{ inputTokensAbove: 5, input: 100, output: 100 }] }
const model: Model = {
  id: 'm',
  provider: 'maker',
  api: 'anthropic-messages',
  inputs: ['text'],
  reasoning: false,
  prices,
}

const result = {
  type: 'web_search_tool_result',
  tool_use_id: 's',
  content: [{ type: 'web_search_result', encrypted_content: 'xyz', page_age: null }],
  caller: { type: 'direct' },
}
const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }
const citation = { type: 'web_search_result_location', url: 'u', cited_text: 'c' }
const container = { id: 'container_1', expires_at: '2026-01-01' }

const paused = [
  messageStart(),
  ...thinkingBlock(0, 'sig', 'I ', 'search'),
  ...textBlock(1, 'Searching', '. '),
  ...block(
    2,
    search,
    { type: 'input_json_delta', partial_json: '{"query":' },
    { type: 'input_json_delta', partial_json: '"x"}' },
  ),
  ...block(3, result),
  ...block(4, { type: 'text', text: '' }),
  ...block(
    5,
    { type: 'text', text: '', citations: [] },
    { type: 'citations_delta', citation },
    { type: 'text_delta', text: 'Said' },
  ),
  ...messageEnd('pause_turn', { container }),
]
const ended = [messageStart(), ...block(0, result), ...textBlock(1, 'Found it.'), ...messageEnd()]

describe('an answer that pauses', () => {
  it('goes on with its content unchanged, and in its container [ANSWER-pause]', async () => {
    await using server = await serve(paused, paused, ended)
    await sentRequests(server)
    const [first, second, third] = server.requests.map((request) => request.json() as Body)
    const content = [
      { type: 'thinking', thinking: 'I search', signature: 'sig' },
      { type: 'text', text: 'Searching. ' },
      { ...search, input: { query: 'x' } },
      result,
      { type: 'text', text: 'Said', citations: [citation] },
    ]
    expect(second).toEqual({
      ...first,
      messages: [...(first?.messages ?? []), { role: 'assistant', content }],
      container: 'container_1',
    })
    expect(third?.messages.at(-1)).toEqual({ role: 'assistant', content: [...content, ...content] })
    expect(server.requests).toHaveLength(3)
  })

  it('is one message: its blocks are numbered on, and it has one start and one end [ANSWER-pause]', async () => {
    await using server = await serve(paused, ended)
    const { deltas, message } = await sentRequests(server)
    expect(message).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'I search', thinkingSignature: 'sig' },
        { type: 'text', text: 'Searching. ' },
        { type: 'text', text: 'Said' },
        { type: 'text', text: 'Found it.' },
      ],
      stopReason: 'stop',
    })
    expect(deltas.filter(({ type }) => type === 'start' || type === 'done')).toHaveLength(2)
    expect(deltas.filter(({ type }) => type === 'text_start')).toMatchObject(
      [1, 2, 3].map((contentIndex) => ({ contentIndex })),
    )
  })

  it('has the sum of the usage, and each part the price of its own length [ANSWER-pause]', async () => {
    await using server = await serve(paused, ended)
    const { usage } = (await sentRequests(server)).message
    expect(usage).toMatchObject({ input: 6, output: 8, totalTokens: 14, cost: { input: 6e-6, output: 16e-6 } })
  })

  it('has an unknown cost if one part has an impossible usage [ANSWER-pause]', async () => {
    const odd = [messageStart({ input_tokens: -3 }), ...paused.slice(1)]
    await using server = await serve(odd, ended)
    const { deltas, message } = await sentRequests(server)
    expect(message.usage.cost).toBe('unknown')
    expect(deltas.filter(({ type }) => type === 'warning')).toMatchObject([{ code: 'usage_impossible' }])
  })

  it('goes on if the server does not stream [ANSWER-pause]', async () => {
    const content = [search, result, { type: 'text', text: 'a' }]
    const whole = {
      type: 'message',
      role: 'assistant',
      content,
      stop_reason: 'pause_turn',
      container,
      usage: { input_tokens: 1 },
    }
    const headers = { 'content-type': 'application/json' }
    await using server = await rawSseServer((_, number) =>
      number === 0 ? { headers, body: [JSON.stringify(whole)] } : { body: ended },
    )
    expect((await sentRequests(server)).message.content).toMatchObject([{ text: 'a' }, { text: 'Found it.' }])
    expect(server.requests[1]?.json()).toMatchObject({ container: 'container_1' })
    expect((server.requests[1]?.json() as Body | undefined)?.messages.at(-1)?.content).toEqual(content)
  })

  it('ends with the calls of rxpi that it has [ANSWER-pause]', async () => {
    await using server = await serve([messageStart(), ...callBlock(0, 'c', 'read', '{}'), ...messageEnd('pause_turn')])
    expect((await sentRequests(server)).message.stopReason).toBe('toolUse')
    expect(server.requests).toHaveLength(1)
  })

  it('sends the same request again if there was no content [ANSWER-pause]', async () => {
    await using server = await serve([messageStart(), ...messageEnd('pause_turn')], ended)
    await sentRequests(server)
    expect(server.requests[1]?.json()).toEqual(server.requests[0]?.json())
  })

  it('fails after its usage if it pauses more than ten times [ANSWER-pauses]', async () => {
    await using server = await rawSseServer({
      body: [messageStart(), ...textBlock(0, 'a'), ...messageEnd('pause_turn')],
    })
    const { deltas, message, error } = await sentRequests(server)
    expect(server.requests).toHaveLength(11)
    expect(error).toMatchObject({
      code: 'provider_error',
      message: 'maker paused its answer more than 10 times: its own tools run on and on. Ask for less at once.',
      data: { kind: 'bad_request' },
    })
    expect(message.content).toHaveLength(11)
    expect(deltas.at(-1)).toMatchObject({ type: 'usage', usage: { input: 33, output: 44 } })
  })

  it('fails in words after 256 KiB of text without a tool of the provider; with one it goes on [ANSWER-pauses]', async () => {
    const long = textBlock(0, ...Array.from({ length: 5 }, () => 'x'.repeat(60_000)))
    await using server = await serve([messageStart(), ...long, ...messageEnd('pause_turn')])
    const { error, message } = await sentRequests(server)
    expect(error).toMatchObject({
      message: 'maker paused its answer after too much text to continue it. Ask for less at once.',
    })
    expect(message.usage.input).toBe(3)
    await using other = await serve([messageStart(), ...block(1, search), ...long, ...messageEnd('pause_turn')], ended)
    expect((await sentRequests(other)).message.stopReason).toBe('stop')
  })

  it.each<[string, readonly string[]]>([
    ['arguments', block(0, search, ...Array.from({ length: 9 }, () => inputPiece))],
    ['results', Array.from({ length: 9 }, (_, index) => block(index, { ...result, content: inputPiece })).flat()],
    [
      'citations',
      [...block(0, search), ...block(1, { type: 'text', text: '' }, ...Array.from({ length: 9 }, () => longCitation))],
    ],
  ])('fails in words after 32 MiB of %s of the provider’s tools [ANSWER-pauses]', async (_, blocks) => {
    await using server = await serve([messageStart(), ...blocks, ...messageEnd('pause_turn')], ended)
    const { error } = await sentRequests(server)
    expect(error).toMatchObject({
      message: 'maker paused its answer after too much text to continue it. Ask for less at once.',
    })
    expect(server.requests).toHaveLength(1)
  })

  it.each<[string, RawAnswer, string]>([
    ['an error status', { status: 529, body: ['{"error":{"message":"later"}}'] }, 'overloaded'],
    ['an answer that is cut', { body: [messageStart(), ...textBlock(0, 'b')] }, 'early_end'],
  ])('fails with %s of its continuation, after the usage of all parts [ANSWER-pause]', async (_, answer, kind) => {
    await using server = await rawSseServer((__, number) => (number === 0 ? { body: paused } : answer))
    const { deltas, error } = await sentRequests(server)
    expect(error).toMatchObject({ code: 'provider_error', data: { kind } })
    expect(deltas.at(-1)).toMatchObject({ type: 'usage', usage: { input: kind === 'early_end' ? 6 : 3 } })
  })

  it('sends no other request after an abort, and ends the one that is open [ANSWER-pause]', async () => {
    await using server = await rawSseServer((_, number) => (number === 1 ? { ending: 'silent' } : { body: paused }))
    const running = answer$(server).subscribe()
    const second = await server.request(1)
    running.unsubscribe()
    await second.abandoned
    const isOpen = ({ type }: AssistantDelta): boolean => type !== 'text_end'
    await lastValueFrom(answer$(server).pipe(takeWhile(isOpen), toArray()), { defaultValue: [] })
    expect(server.requests).toHaveLength(3)
  })
})

const inputPiece = { type: 'input_json_delta', partial_json: 'x'.repeat(4 * 1024 * 1024) }
const longCitation = { type: 'citations_delta', citation: { ...citation, cited_text: 'x'.repeat(4 * 1024 * 1024) } }

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** Sends one response a request, in order. */
function serve(...responses: readonly (readonly string[])[]): Promise<RawSseServer> {
  return rawSseServer((_, number) => ({ body: responses[number] ?? [] }))
}

function answer$({ url }: RawSseServer) {
  return anthropicMessages({ provider: 'maker', baseUrl: url })(aRequest({ model, messages: [aUser('Hello')] }))
}

interface Answered {
  readonly deltas: readonly AssistantDelta[]
  readonly message: AssistantMessage
  readonly error: unknown
}

async function sentRequests(server: RawSseServer): Promise<Answered> {
  const notifications = await lastValueFrom(answer$(server).pipe(materialize(), toArray()), { defaultValue: [] })
  const last = notifications.at(-1)
  const deltas = notifications.flatMap((found) => (found.kind === 'N' ? [found.value] : []))
  return { deltas, message: foldDeltas(deltas), error: last?.kind === 'E' ? last.error : undefined }
}
