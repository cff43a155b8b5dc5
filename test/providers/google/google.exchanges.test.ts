// Runs the recorded exchanges of Google's API.
import { expect } from 'vitest'
import { googleGenerativeAi } from '../../../lib/providers/endpoints/apis.ts'
import type { AssistantMessage, Usage } from '../../../lib/streams/messages/message.ts'
import { callsOf, exchangeSuite } from '../http/exchange-suite.ts'
import type { Reference } from '../http/recorded-exchange.ts'

exchangeSuite({
  folder: 'gemini',
  model: { id: 'm', provider: 'maker', api: 'google-generative-ai', inputs: ['text'], reasoning: false },
  provider: (options) => googleGenerativeAi({ provider: 'maker', ...options }),
  stopReason,
  expectUsage,
  failure: ({ reference }) =>
    reference.finish_reason === 'SAFETY' ? { data: { kind: 'refused', providerCode: 'SAFETY' } } : undefined,
  calls: expectCalls,
})

const weather = (location: string) => ({ name: 'getWeather', arguments: { location } })
/** Arguments under paths, which the reference does not assemble. */
const assembled: Readonly<Record<string, (calls: readonly object[]) => void>> = {
  vercel_google_google_stream_no_args_tool_call: (calls) => {
    const screens = ['A', 'B', 'C'].map((id) => ({ name: 'read_screen', arguments: { id } }))
    expect(calls).toEqual([{ name: 'read_theme', arguments: {} }, ...screens])
  },
  vercel_google_google_stream_tool_call_arguments: (calls) => {
    expect(calls).toEqual([weather('Boston'), weather('San Francisco')])
  },
  vercel_google_google_stream_tool_call_array_arguments_missing_terminal_function_call: (calls) => {
    const add = (description: string, itemid: string, price: number) => ({ action: 'add', description, itemid, price })
    const operations = [add('Fresh red apple', 'apple_001', 0.5), add('Ripe yellow banana', 'banana_001', 0.3)]
    expect(calls).toEqual([{ name: 'writeItems', arguments: { operations } }])
  },
  vercel_google_google_vertex_stream_tool_call_arguments_nested_1: (calls) => {
    const steps = expect.arrayContaining(['In a 9x13 baking dish, spread a thin layer of meat sauce.']) as unknown
    const ingredients = expect.arrayContaining([{ amount: '1/2 tsp', name: 'Pepper' }]) as unknown
    expect(calls).toEqual([{ name: 'cookRecipe', arguments: { recipe: { ingredients, name: 'Lasagna', steps } } }])
  },
}

function expectCalls(message: AssistantMessage, reference: Reference, id: string): void {
  const calls = callsOf(message)
  const ids = calls.map((call) => call.id)
  expect(new Set(ids).size).toBe(ids.length)
  const plain = calls.map(({ name, arguments: args }) => ({ name, arguments: args }))
  const expectAssembled = assembled[id]
  if (expectAssembled === undefined) {
    expect(plain).toEqual(reference.tool_calls.map(({ name, arguments: args }) => ({ name, arguments: args })))
    for (const [index, call] of reference.tool_calls.entries()) if (call.id !== null) expect(ids[index]).toBe(call.id)
  } else expectAssembled(plain)
}

function stopReason({ finish_reason: reason, tool_calls: calls, ...more }: Reference): string {
  if (reason === 'MAX_TOKENS') return 'length'
  return calls.length > 0 || 'partial_args_stream' in more ? 'toolUse' : 'stop'
}

/** Checks that the provider's whole usage is counted once; one recorded total lacks the usage of an earlier chunk. */
function expectUsage(usage: Usage, reported: Readonly<Record<string, unknown>>): void {
  const count = (name: string): number => Number(reported[name] ?? 0)
  expect(usage.input + usage.cacheRead).toBe(count('promptTokenCount') + count('toolUsePromptTokenCount'))
  expect(usage.cacheRead).toBe(count('cachedContentTokenCount'))
  expect(usage.output).toBe(count('candidatesTokenCount') + count('thoughtsTokenCount'))
  expect(usage.totalTokens).toBe(Math.max(count('totalTokenCount'), usage.input + usage.cacheRead + usage.output))
}
