// Compares what recorded requests have in common with the cache reads of their usages.
import { describe, expect, it } from 'vitest'
import { aUser } from '../adapter/messages.ts'
import { bodyOf as ownBody } from '../anthropic/anthropic-messages-scene.ts'
import { recordedExchanges } from './recorded-exchange.ts'
import type { RecordedExchange } from './recorded-exchange.ts'

type Fields = Readonly<Record<string, unknown>>

function bodyOf(exchange: RecordedExchange): Fields | undefined {
  const { request } = exchange as RecordedExchange & { readonly request: { readonly body?: Fields } | null }
  const body = request?.body
  return body === undefined || '_omitted' in body ? undefined : body
}

function usageOf({ reference }: RecordedExchange): Fields {
  return 'usage' in reference ? (reference.usage ?? {}) : {}
}

const anthropic = recordedExchanges('anthropic-messages').recorded
const responses = recordedExchanges('openai-responses').recorded

describe.skipIf(anthropic.length === 0)('recorded usages (RXPI_FIXTURES names their folder)', () => {
  it('of Anthropic have no cache read and no cache write if the request has no mark', () => {
    const known = anthropic.filter((exchange) => bodyOf(exchange) !== undefined)
    expect(known.length).toBeGreaterThan(20)
    for (const exchange of known) {
      expect([exchange.id, JSON.stringify(bodyOf(exchange)).includes('cache_control')]).toEqual([exchange.id, false])
      const { cache_read_input_tokens: read = 0, cache_creation_input_tokens: written = 0 } = usageOf(exchange)
      expect([exchange.id, read ?? 0, written ?? 0]).toEqual([exchange.id, 0, 0])
    }
  })

  it('of a request that begins with the one before read all of that one from the cache', () => {
    const [first, second] = [0, 1].map((turn) =>
      responses.find(({ id }) => id === `pyd_deepseek_responses_function_tool_stream_${turn}`),
    )
    if (first === undefined || second === undefined) throw new Error('the recordings are gone')
    const [before, after] = [bodyOf(first) ?? {}, bodyOf(second) ?? {}]
    expect(after['tools']).toEqual(before['tools'])
    const inputs = before['input'] as readonly unknown[]
    expect((after['input'] as readonly unknown[]).slice(0, inputs.length)).toEqual(inputs)
    const cached = (usageOf(second)['input_tokens_details'] as Fields)['cached_tokens']
    expect(cached).toBeGreaterThanOrEqual(Number(usageOf(first)['input_tokens']))
  })
})

interface Part {
  readonly text: string
  readonly cache_control?: { readonly type: string }
}
const isMarked = ({ cache_control: mark }: Part): boolean => mark?.type === 'ephemeral'

const marked = recordedExchanges('openai-chat').recorded.find(({ id }) => id === 'pyd_openrouter_cache_streaming_e2e_0')

describe.skipIf(marked === undefined)('the recording with cache marks', () => {
  const body = marked === undefined ? {} : (bodyOf(marked) ?? {})
  const messages = (body['messages'] ?? []) as readonly { readonly role: string; readonly content: readonly Part[] }[]

  it('has them where rxpi puts them for the same request to Anthropic: behind the system prompt and the last user turn', () => {
    const [system = '', user = ''] = messages.map(({ content }) => content.map(({ text }) => text).join(''))
    expect(messages.map(({ role, content }) => [role, content.map(isMarked)])).toEqual([['system', [true]], ['user', [true]]]) // prettier-ignore
    const own = ownBody({ system, messages: [aUser(user)] }) as unknown as {
      readonly system: readonly Part[]
      readonly messages: readonly { readonly content: readonly Part[] }[]
    }
    expect(own.system.map(isMarked)).toEqual([true])
    expect(own.messages.map(({ content }) => content.map(isMarked))).toEqual([[true]])
  })

  it('shows no gain: 254 tokens are fewer than the least that a model caches, so nothing was written or read', () => {
    const usage = marked === undefined ? {} : usageOf(marked)
    expect(usage['prompt_tokens']).toBe(254)
    expect(usage['prompt_tokens_details']).toMatchObject({ cached_tokens: 0, cache_write_tokens: 0 })
  })
})
