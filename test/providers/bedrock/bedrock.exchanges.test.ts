// Runs the exchanges that are written from the published examples of AWS, whole, byte by byte and cut at random.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastValueFrom, materialize, toArray } from 'rxjs'
import { bedrockConverseStream } from '../../../lib/providers/endpoints/apis.ts'
import type { Fetch } from '../../../lib/providers/http/guarded-fetch.ts'
import type { AssistantMessage } from '../../../lib/streams/messages/message.ts'
import { aUser } from '../adapter/messages.ts'
import { callsOf } from '../http/exchange-suite.ts'
import { cutAtRandom } from '../http/recorded-exchange.ts'
import type { Reference } from '../http/recorded-exchange.ts'
import { aRequest } from '../offline/a-request.ts'
import { foldDeltas } from '../offline/fold-deltas.ts'
import { event, exception } from './bedrock-events.ts'
import { headers, model } from './bedrock-scene.ts'

interface Exchange {
  readonly id: string
  readonly provenance: { readonly source: string }
  /** A name that begins with `!` is that of an exception. */
  readonly events: readonly (readonly [name: string, payload: { readonly message?: string }])[]
  readonly reference: Omit<Reference, 'error'> & {
    readonly error: { readonly kind: string; readonly message: string } | null
    readonly signatures?: readonly string[]
  }
}

const folder = path.join(import.meta.dirname, '../../fixtures/bedrock-converse-stream')
const exchanges = readdirSync(folder).map(
  (name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Exchange,
)

function bytesOf({ events }: Exchange): Buffer {
  return Buffer.concat(
    events.map(([name, payload]) =>
      name.startsWith('!') ? exception(name.slice(1), payload.message ?? '') : event(name, payload),
    ),
  )
}

function bodyOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const rest = pieces[Symbol.iterator]()
  return new ReadableStream({
    pull: (controller) => {
      const next = rest.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
  })
}

async function answerTo(pieces: readonly Uint8Array[]): Promise<{ message: AssistantMessage; error: unknown }> {
  const fetch: Fetch = () => Promise.resolve(new Response(bodyOf(pieces), { headers }))
  const provider = bedrockConverseStream({ provider: 'maker', baseUrl: 'http://nowhere.invalid', fetch })
  const answer$ = provider(aRequest({ model, messages: [aUser('Hello')] }))
  const notifications = await lastValueFrom(answer$.pipe(materialize(), toArray()), { defaultValue: [] })
  const last = notifications.at(-1)
  return {
    message: foldDeltas(notifications.flatMap((each) => (each.kind === 'N' ? [each.value] : []))),
    error: last?.kind === 'E' ? last.error : undefined,
  }
}

function expectReference({ message, error }: Awaited<ReturnType<typeof answerTo>>, { reference }: Exchange): void {
  const { content, stopReason, usage } = message
  const thoughts = content.filter((block) => block.type === 'thinking')
  expect(content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')).toBe(reference.text)
  expect(thoughts.map(({ thinking }) => thinking).join('')).toBe(reference.thinking)
  expect(thoughts.flatMap(({ thinkingSignature: signature }) => signature ?? [])).toEqual(reference.signatures ?? [])
  expect(callsOf(message)).toEqual(reference.tool_calls)
  if (reference.error !== null) {
    const { kind, message: says } = reference.error
    expect(error).toMatchObject({ data: { kind }, message: expect.stringContaining(says) as string })
    return
  }
  expect(error).toBeUndefined()
  const words: Readonly<Record<string, string>> = { end_turn: 'stop', tool_use: 'toolUse', max_tokens: 'length' }
  expect(stopReason).toBe(words[reference.finish_reason ?? ''])
  const reported = reference.usage as Readonly<Record<string, number>>
  expect([usage.input, usage.output, usage.cacheRead, usage.cacheWrite]).toEqual([
    reported['inputTokens'],
    reported['outputTokens'],
    reported['cacheReadInputTokens'] ?? 0,
    reported['cacheWriteInputTokens'] ?? 0,
  ])
}

describe('the exchanges of the project', () => {
  it.each(exchanges.map((exchange) => [exchange.id, exchange] as const))('%s', async (_, exchange) => {
    const bytes = bytesOf(exchange)
    expect(exchange.provenance.source).toContain('no recording')
    const cuts = [1, 40].map((longest) => cutAtRandom(bytes, longest))
    for (const pieces of [[bytes], ...cuts]) expectReference(await answerTo(pieces), exchange)
  })
})
