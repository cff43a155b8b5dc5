// Tests the token count against recorded usages: whole requests of four APIs, and two long sessions.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { contextTokens } from '../../../lib/operators/compaction/context-tokens.ts'
import type { Message, Usage } from '../../../lib/streams/messages/message.ts'
import type { PlannedEntry } from '../../../lib/operators/compaction/find-cut.ts'
import { modelMessage } from '../../../lib/operators/run/conversation.ts'
import { aUser } from '../../providers/adapter/messages.ts'
import { entriesOf } from './planned-entries.ts'

const folder = process.env['RXPI_FIXTURES']

type Fields = Readonly<Record<string, unknown>>

type Pair = readonly [estimated: number, recorded: number]

const by = (numbers: readonly number[], part: number): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length * part)] ?? 0

/** How far the estimates are off, in tokens. */
function tokenErrors(pairs: readonly Pair[]) {
  const errors = pairs.map(([estimated, recorded]) => Math.abs(estimated - recorded))
  return { requests: pairs.length, median: by(errors, 0.5), most: by(errors, 0.9) }
}

/** The same as parts of the recorded counts. */
function relativeErrors(pairs: readonly Pair[]) {
  const errors = pairs.map(([estimated, recorded]) => Math.abs(estimated - recorded) / recorded)
  const sum = (index: 0 | 1): number => pairs.reduce((total, pair) => total + pair[index], 0)
  return { requests: pairs.length, median: by(errors, 0.5), most: by(errors, 0.99), ofAll: sum(0) / sum(1) - 1 }
}

/** All texts of a value, whatever API it is from; no ids, signatures and data of images. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textOf).join('')
  if (typeof value !== 'object' || value === null) return ''
  const hidden = new Set([
    'id',
    'type',
    'role',
    'call_id',
    'tool_call_id',
    'tool_use_id',
    'status',
    'encrypted_content',
  ])
  return Object.entries(value)
    .map(([key, item]) => (hidden.has(key) ? '' : textOf(item)))
    .join('')
}

interface RecordedRequest {
  readonly system: string
  readonly tools: Parameters<typeof contextTokens>[0]['tools']
  readonly messages: readonly Message[]
}

/** Undefined for a request whose tokens are not its own: tools at the provider, a conversation that it stores. */
function requestOf(body: Fields): RecordedRequest | undefined {
  const tools = listOf(body['tools']).flatMap((tool) =>
    listOf(tool['functionDeclarations'] ?? [tool['function'] ?? tool]),
  )
  const isForeign = tools.some(
    ({ name, parameters, input_schema: schema }) => name === undefined || (parameters ?? schema) === undefined,
  )
  const messages = listOf(
    body['messages'] ??
      body['contents'] ??
      (typeof body['input'] === 'string' ? [{ content: body['input'] }] : body['input']),
  )
  const isStored = ['previous_response_id', 'conversation', 'context_management', 'mcp_servers', 'moderation'].some(
    (name) => name in body,
  )
  if (isForeign || isStored || messages.length === 0) return undefined
  return {
    system: textOf(body['system'] ?? body['systemInstruction'] ?? body['instructions']),
    tools: tools.map(({ name, description, parameters, input_schema: schema }) => ({
      name: String(name),
      description: typeof description === 'string' ? description : '',
      parameters: (parameters ?? schema) as RecordedRequest['tools'][number]['parameters'],
    })),
    messages: messages.map((message) => aUser(textOf(message))),
  }
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : []
}

/** Undefined also if the provider counts a text of its own: a model that searches, a router's plugins. */
function pairOf(file: string): Pair | undefined {
  const { request, reference } = JSON.parse(readFileSync(file, 'utf8')) as { request: Fields | null; reference: Fields }
  const usage = (reference['usage'] ?? {}) as Readonly<Record<string, number>>
  const body = request?.['body']
  const whole = typeof body === 'object' && body !== null ? requestOf(body as Fields) : undefined
  const caches = (usage['cache_creation_input_tokens'] ?? 0) + (usage['cache_read_input_tokens'] ?? 0)
  const input = usage['input_tokens'] ?? usage['prompt_tokens'] ?? usage['promptTokenCount']
  if (whole === undefined || input === undefined || /web_search|native_options/.test(file)) return undefined
  return [contextTokens({ ...whole, entries: entriesOf(whole.messages) }).total, input + caches]
}

interface SessionLine {
  readonly type: string
  readonly message?: Message & { readonly usage?: Usage }
}

/** The count before each answer of a session, and what the provider then counted. Its system prompt is as long as needed. */
function sessionPairs(file: string): Pair[] {
  const entries: PlannedEntry[] = []
  const pairs: Pair[] = []
  let system: string | undefined
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const { type, message } = JSON.parse(line) as SessionLine
    if (type === 'compaction') entries.length = 0
    if (message?.role === 'assistant' && message.usage.input > 0) {
      const { input, cacheRead, cacheWrite } = message.usage
      const recorded = input + cacheRead + cacheWrite
      if (entries.some((entry) => entry.message.role === 'assistant' && entry.message.usage.input > 0))
        pairs.push([contextTokens({ system: system ?? '', tools: [], entries }).total, recorded])
      system ??= 's'.repeat(4 * (recorded - contextTokens({ system: '', tools: [], entries }).total))
    }
    const forModel = message === undefined ? undefined : modelMessage(message)
    const seq = entries.length + 1
    if (forModel !== undefined) entries.push(...entriesOf([forModel], { 0: { entryId: `e${seq}`, seq } }))
  }
  return pairs
}

describe('the count of tokens', () => {
  if (folder === undefined) {
    it.skip('is not compared: RXPI_FIXTURES does not name the folder of the recordings')
    return
  }

  // tokens: a provider adds up to 400 of its own for the use of tools, which the first answer's usage then has
  it.each([
    ['anthropic-messages', { median: 31, most: 400 }],
    ['gemini', { median: 40, most: 70 }],
    ['openai-chat', { median: 12, most: 60 }],
    ['openai-responses', { median: 25, most: 350 }],
  ])('without a usage is near what %s counted for a whole request', (api, bounds) => {
    const files = readdirSync(path.join(folder, 'sse', api)).map((name) => path.join(folder, 'sse', api, name))
    const pairs = files.flatMap((file) => {
      const pair = pairOf(file)
      return pair === undefined ? [] : [pair]
    })
    const { requests, median, most } = tokenErrors(pairs)
    expect(requests).toBeGreaterThan(6)
    expect(median).toBeLessThanOrEqual(bounds.median)
    expect(most).toBeLessThanOrEqual(bounds.most)
  })

  it.each(['pi_large-session', 'pi_before-compaction'])('behind a usage is near the next one: %s', (name) => {
    const { requests, median, most, ofAll } = relativeErrors(
      sessionPairs(path.join(folder, 'sessions', `${name}.jsonl`)),
    )
    expect(requests).toBeGreaterThan(200)
    expect(median).toBeLessThan(0.005)
    expect(most).toBeLessThan(0.2)
    expect(Math.abs(ofAll)).toBeLessThan(0.01)
  })
})
