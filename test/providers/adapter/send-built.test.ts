// Tests that `sendBuilt` sends the request that the vendor's SDK would send itself.
import { Anthropic } from '@anthropic-ai/sdk'
import { AzureOpenAI, OpenAI } from 'openai'
import { describe, expect, it } from 'vitest'
import { sendBuilt } from '../../../lib/providers/adapter/sdk-response.ts'
import type { RequestBuilder } from '../../../lib/providers/adapter/sdk-response.ts'
import type { Fetch } from '../../../lib/providers/http/guarded-fetch.ts'

interface SdkClient extends RequestBuilder {
  post(path: string, options: { body: object; stream: true }): { asResponse(): Promise<Response> }
}

interface Sent {
  readonly url: string
  readonly method: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A `fetch` that records each request. */
function recordingFetch(): { readonly fetch: Fetch; readonly sent: Sent[] } {
  const sent: Sent[] = []
  const fetch: Fetch = (input, { method, headers, body } = {}) => {
    const url = input instanceof Request ? input.url : String(input)
    sent.push({ url, method, headers: Object.fromEntries(new Headers(headers)), body })
    return Promise.resolve(new Response(''))
  }
  return { fetch, sent }
}

const options = { apiKey: 'sk-1', baseURL: 'http://127.0.0.1:1/base', maxRetries: 0, defaultHeaders: { 'x-own': '1' } }
const clients: readonly [string, string, (fetch: Fetch) => SdkClient][] = [
  ['OpenAI, chat completions', '/chat/completions', (fetch) => new OpenAI({ ...options, fetch })],
  ['OpenAI, responses', '/responses', (fetch) => new OpenAI({ ...options, fetch, organization: 'o', project: 'p' })],
  ['Azure', '/responses', (fetch) => new AzureOpenAI({ ...options, fetch, apiVersion: '2026-01-01' })],
  ['Azure with a deployment', '/chat/completions', (fetch) => new AzureOpenAI({ ...options, fetch, apiVersion: 'v1' })],
  ['Anthropic', '/v1/messages', (fetch) => new Anthropic({ ...options, fetch })],
]

describe.each(clients)('%s', (_, path, clientWith) => {
  it('receives the same address, method, headers and body as from the SDK', async () => {
    const { fetch, sent } = recordingFetch()
    const client = clientWith(fetch)
    const body = { model: 'm', stream: true, messages: [{ role: 'user', content: 'ü "quoted"\n' }] }
    await client.post(path, { body, stream: true }).asResponse()
    await sendBuilt(client, path, fetch)(body, new AbortController().signal)
    expect(sent).toHaveLength(2)
    expect(sent[1]).toEqual(sent[0])
    expect(JSON.stringify(sent[1]?.headers)).toContain('sk-1')
  })
})
