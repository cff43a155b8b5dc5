// Tests fields of models.json that pi has too: model-level API, address and headers, `authHeader`, variables in headers.
import { describe, expect, it } from 'vitest'
import { toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { listModels } from '../../../lib/providers/resolve/list-models.ts'
import { createKeyMemory } from '../../../lib/providers/keys/key-memory.ts'
import { resolveModel } from '../../../lib/providers/resolve/resolve-model.ts'
import type { ModelsFile } from '../../../lib/streams/config/settings.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import { messageEnd, messageStart } from '../anthropic/anthropic-events.ts'
import { lastChunk } from '../google/google-chunks.ts'
import { aRequest } from '../offline/a-request.ts'
import { ending, textChunk } from '../openai/openai-chunks.ts'

function valueOf<Value>(value$: Observable<Value>): Promise<Value> {
  return new Promise((resolve, reject) => value$.subscribe({ next: resolve, error: reject }))
}

type Provider = ModelsFile['providers'][string]

const resolve = (entry: Provider, { id = 'm', env = {} }: { id?: string; env?: Record<string, string> } = {}) =>
  valueOf(resolveModel({ name: `mine/${id}`, env, models: { providers: { mine: entry } } }))

async function ask(entry: Provider, options: { id?: string; env?: Record<string, string> } = {}): Promise<void> {
  const { model, provider } = await resolve(entry, options)
  const request = aRequest({ model, messages: [{ role: 'user', content: 'Hello', timestamp: 0 }] })
  await valueOf(provider(request).pipe(toArray()))
}

const completionsBody = [textChunk('hi'), ending()]
const messagesBody = [messageStart(), ...messageEnd()]

describe('a model of models.json', () => {
  it('has the API, the address and the headers of its own entry [CONFIG-pi]', async () => {
    await using server = await rawSseServer({ body: messagesBody })
    const entry: Provider = {
      api: 'openai-completions',
      baseUrl: 'http://127.0.0.1:9/never',
      apiKey: 'k',
      headers: { 'x-team': 'a', 'x-all': 'b' },
      models: [{ id: 'claude', api: 'anthropic-messages', baseUrl: server.url, headers: { 'x-team': 'own' } }],
    }
    await ask(entry, { id: 'claude' })
    expect(server.requests[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'k', 'x-team': 'own', 'x-all': 'b' },
    })
    expect((await resolve(entry)).model).toMatchObject({
      api: 'openai-completions',
      baseUrl: 'http://127.0.0.1:9/never',
    })
  })

  it('is listed with its own API, and as usable if only it has an address [CONFIG-pi]', async () => {
    const mine: Provider = {
      models: [{ id: 'claude', api: 'anthropic-messages', baseUrl: 'https://models.example.com' }],
    }
    const options = { env: {}, models: { providers: { mine } }, memory: createKeyMemory(), cwd: '/', localMs: 0 }
    const { models } = await valueOf(listModels({ ...options, provider: 'mine' }))
    expect(models).toMatchObject([{ usable: true, model: { id: 'claude', api: 'anthropic-messages' } }])
  })
})

describe('authHeader', () => {
  it.each([
    ['anthropic-messages', messagesBody, 'x-api-key'],
    ['google-generative-ai', [lastChunk('hi')], 'x-goog-api-key'],
  ])(
    'sends the key of %s as a bearer too, and without it only in its own header [CONFIG-pi]',
    async (api, body, own) => {
      await using server = await rawSseServer({ body })
      await ask({ api, baseUrl: server.url, apiKey: 'k', authHeader: true })
      await ask({ api, baseUrl: server.url, apiKey: 'k' })
      const sent = server.requests.map(({ headers }) => [headers[own], headers.authorization])
      expect(sent).toEqual([
        ['k', 'Bearer k'],
        ['k', undefined],
      ])
    },
  )
})

describe('a header', () => {
  it('has the values of variables from the client’s environment [CONFIG-pi]', async () => {
    await using server = await rawSseServer({ body: completionsBody })
    const headers = {
      'x-plain': '$TEAM',
      'x-part': 'team-${TEAM}-$TEAM',
      'x-literal': '$$TEAM costs $5 $!',
      'x-none': 'a',
    }
    await ask({ baseUrl: server.url, headers }, { env: { TEAM: 'blue' } })
    expect(server.requests[0]?.headers).toMatchObject({
      'x-plain': 'blue',
      'x-part': 'team-blue-blue',
      'x-literal': '$TEAM costs $5 !',
      'x-none': 'a',
    })
  })

  it.each([
    ['$NO_SUCH', 'models.json: the header x-key of providers.mine needs the variable NO_SUCH, which is not set.'],
    [
      '!pass show key',
      'models.json: the header x-key of providers.mine is a command; set it as $VARIABLE, or give the command to apiKey.',
    ],
  ])('%s stops its own provider only, and the message names it [CONFIG-pi]', async (value, message) => {
    const mine: Provider = { baseUrl: 'http://127.0.0.1:9/v1', headers: { 'x-key': value }, models: [{ id: 'm' }] }
    await expect(resolve(mine)).rejects.toMatchObject({ code: 'bad_config', message })
    const options = { env: {}, models: { providers: { mine } }, memory: createKeyMemory(), cwd: '/', localMs: 50 }
    const { models } = await valueOf(listModels({ ...options, provider: 'mine' }))
    expect(models).toMatchObject([{ model: { id: 'm' } }])
  })
})
