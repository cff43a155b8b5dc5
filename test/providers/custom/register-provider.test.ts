// Tests the registration of providers: taken names, invalid declarations and resolved names.
import { EMPTY, lastValueFrom, of, throwError, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import { createModelRegistry } from '../../../lib/providers/resolve/create-model-registry.ts'
import type { AnyDeclaration } from '../../../lib/providers/custom/provider-declaration.ts'
import { createProviderRegistry, registerProvider } from '../../../lib/providers/custom/register-provider.ts'
import { resolveModel } from '../../../lib/providers/resolve/resolve-model.ts'
import { scripted } from '../../../lib/providers/offline/scripted.ts'
import { createAgent } from '../../../lib/session/agent/create-agent.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { Provider, ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import { aRequest } from '../offline/a-request.ts'
import { ownDeclaration } from './custom-api.ts'

const registered: (() => void)[] = []
afterEach(() => {
  for (const unregister of registered.splice(0)) unregister()
})
const register = (...options: Parameters<typeof registerProvider<object>> | [string, Provider, object?]) => {
  const unregister = Reflect.apply(registerProvider, undefined, options) as () => void
  registered.push(unregister)
  return unregister
}
async function only<Value>(value$: Observable<Value>): Promise<Value> {
  const value = await lastValueFrom(value$, { defaultValue: undefined })
  if (value === undefined) throw new Error('it emitted nothing')
  return value
}
const resolved = (name: string, env = {}) => only(resolveModel({ name, env, models: { providers: {} } }))
function answering(request: ProviderRequest) {
  return scripted(['Hello'])(request)
}

describe('registerProvider', () => {
  it('adds the provider for every session until it is unregistered', async () => {
    const unregister = register('mine', answering, { models: [{ id: 'm', contextWindow: 9 }], defaultModel: 'm' })
    const agent = createAgent({ model: 'mine', cwd: '/', env: {} })
    expect(await agent.prompt('Hi')).toMatchObject({ text: 'Hello', message: { provider: 'mine', model: 'm' } })
    await agent.close()
    unregister()
    await expect(resolved('mine/m')).rejects.toThrow('There is no provider for "mine/m"')
  })

  it.each([NaN, Infinity, -1, 1.5])(
    'counts %d tokens of a function as unknown, with a warning [ANSWER-usage]',
    async (output) => {
      const done = { type: 'done', stopReason: 'stop', usage: { ...noUsage, output } } as const
      register('mine', () => of(done))
      const { provider, model } = await resolved('mine/m')
      const deltas = await lastValueFrom(provider(aRequest({ model })).pipe(toArray()), { defaultValue: [] })
      expect(deltas).toMatchObject([
        { type: 'warning', code: 'usage_impossible', context: { provider: 'mine' } },
        { type: 'done', usage: { totalTokens: 0, cost: 'unknown' } },
      ])
    },
  )

  it('resolves listed models, unlisted ones without details, and the default model', async () => {
    register('mine', answering, { models: ['a', { id: 'b', reasoning: true, inputs: ['image'] }], defaultModel: 'a' })
    const base = { provider: 'mine', api: 'mine' }
    expect((await resolved('mine')).model).toEqual({ ...base, id: 'a', inputs: ['text'], reasoning: false })
    expect((await resolved('mine/b')).model).toEqual({ ...base, id: 'b', inputs: ['image'], reasoning: true })
    expect((await resolved('mine/x/y')).model).toEqual({ ...base, id: 'x/y', inputs: ['text'], reasoning: false })
  })

  it('requires a model id if there is no default model', async () => {
    register('mine', answering)
    await expect(resolved('mine')).rejects.toThrow('"mine" names no model: write mine/<id>.')
  })

  it.each(['openai', 'ollama', 'demo', 'scripted', 'replay', 'mine'])('refuses the taken name %s', (name) => {
    register('mine', answering)
    expect(() => registerProvider(name, answering)).toThrow(new RegExp(`^The provider "${name}" cannot be registered`))
    expect(() => registerProvider(ownDeclaration({ name }))).toThrow(Failure)
  })

  it('ignores a second unregister after the name was registered again', async () => {
    register('mine', answering)()
    register('mine', answering)
    registered[0]?.()
    expect((await resolved('mine/m')).model.id).toBe('m')
  })

  it('fails if models.json has a provider of the same name', async () => {
    register('mine', answering)
    const models = { providers: { mine: { baseUrl: 'http://localhost' } } }
    const failure: unknown = await only(resolveModel({ name: 'mine/m', env: {}, models })).catch(Failure.from)
    expect(failure).toMatchObject({ code: 'bad_config', message: expect.stringContaining('providers.mine') as string })
  })

  it('fails with the unset variable of its key when the model is resolved', async () => {
    register(ownDeclaration({ auth: { variable: 'OWN_KEY' } }))
    await expect(resolved('own/m')).rejects.toMatchObject({ data: { kind: 'auth' } })
    await expect(resolved('own/m')).rejects.toThrow('set OWN_KEY')
    expect((await resolved('own/m', { OWN_KEY: 'k' })).model.baseUrl).toBe('http://own.invalid/v1')
  })

  it('takes the key of each request from getApiKey first', async () => {
    await using server = await rawSseServer({ body: ['data: {"end":true}\n\n'] })
    register(ownDeclaration({ auth: { variable: 'OWN_KEY' }, baseUrl: server.url }))
    let sentRequests = 0
    const getApiKey = (provider: string) => Promise.resolve(`${provider}-key-${++sentRequests}`)
    const found = await only(resolveModel({ name: 'own/m', env: {}, models: { providers: {} }, getApiKey }))
    for (let round = 0; round < 2; round++) await only(found.provider(aRequest()))
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer own-key-1',
      'Bearer own-key-2',
    ])
  })

  it('takes the address from its variable, and reports an invalid one', async () => {
    register(ownDeclaration({ baseUrlVariable: 'OWN_URL' }))
    expect((await resolved('own/m', { OWN_URL: 'http://127.0.0.1:1/x?k=1' })).model).toMatchObject({
      baseUrl: 'http://127.0.0.1:1/x',
      local: true,
    })
    await expect(resolved('own/m', { OWN_URL: 'localhost:1' })).rejects.toThrow('OWN_URL is not an http(s) address')
  })
})

describe('refuses an invalid declaration with the reason', () => {
  const cases: readonly [string, object][] = [
    ['/name must have the form', { name: 'Own Provider' }],
    ['/models/0 must be text', { models: [7] }],
    ['/defaultModel must not be empty', { defaultModel: '' }],
    ['/baseUrl must begin with http:// or https://', { baseUrl: 'ftp://x' }],
    ['has the unknown field "modles"', { modles: [] }],
    ['/auth needs the field', { auth: {} }],
    ['/auth/header must have the form', { auth: { variable: 'K', header: 'a b' } }],
    ['/errorMap/429 must be one of auth, rate_limit', { errorMap: { 429: 'rate-limit' } }],
    ['buildRequest must be a function', { buildRequest: undefined }],
    ['parseStreamChunk must be a function', { parseStreamChunk: 'no' }],
    ['needs parseStreamChunk, parseResponse, or both', { parseStreamChunk: undefined, parseResponse: undefined }],
    ['needs a baseUrl, a baseUrlVariable, or both', { baseUrl: undefined }],
  ]
  it.each(cases)('%s', (message, more) => {
    const declared = () => createProviderRegistry().register({ ...ownDeclaration(), ...more } as AnyDeclaration)
    expect(declared).toThrow(message)
    expect(declared).toThrow(expect.objectContaining({ code: 'bad_request' }) as Error)
  })

  it.each([
    ['give a function', ['mine', 'no function']],
    ['/name must have the form', ['Mine!', answering]],
    ['/models must be a list', ['mine', answering, { models: 'm' }]],
    ['it is not an object', [undefined]],
  ])('%s', (message, options) => {
    expect(() => registerProvider(...(options as [never]))).toThrow(message)
  })
})

describe('a failing provider function', () => {
  const cases: readonly [string, Provider, string][] = [
    ['throws', () => (undefined as never)['there'], 'bad_request'],
    ['returns no Observable', () => 7 as never, 'bad_request'],
    ['errors with another value than a Failure', () => throwError(() => new Error('no')), 'bad_request'],
    ['loses its connection', () => throwError(() => Object.assign(new Error(''), { code: 'ECONNRESET' })), 'network'],
    ['emits the network error of fetch', () => throwError(() => new TypeError('fetch failed')), 'network'],
    [
      'emits a Failure of its own',
      () => throwError(() => new Failure('provider_error', '', { data: { kind: 'refused' } })),
      'refused',
    ],
  ]
  it.each(cases)('fails with a typed Failure if it %s', async (_, provider, kind) => {
    register('mine', provider)
    const found = await resolved('mine/m')
    const answer$ = found.provider(aRequest())
    await expect(lastValueFrom(answer$, { defaultValue: undefined })).rejects.toMatchObject({
      code: 'provider_error',
      data: { kind },
    })
  })
})

describe('createModelRegistry', () => {
  it('resolves its own providers, which other sessions do not have', async () => {
    const registry = createModelRegistry({ env: {} })
    registry.register('mine', answering, { defaultModel: 'm' })
    const agent = createAgent({ model: 'mine', modelRegistry: registry, cwd: '/', env: {} })
    expect((await agent.prompt('Hi')).text).toBe('Hello')
    await agent.close()
    await expect(resolved('mine/m')).rejects.toThrow('There is no provider for "mine/m"')
  })

  it('resolves built-in providers and those of the process, with its own environment', async () => {
    register('shared', answering)
    const registry = createModelRegistry({ env: { OPENAI_API_KEY: 'k', NOT_SET: undefined } })
    const names = ['shared/m', 'demo/guide', 'openai/gpt-6-sol']
    const found = await Promise.all(names.map((name) => only(registry.resolve(name))))
    expect(found.map(({ model }) => `${model.provider}/${model.id}`)).toEqual(names)
    expect(Object.keys(found[2] ?? {}).toSorted()).toEqual(['model', 'provider'])
    await expect(only(createModelRegistry({ env: {} }).resolve('openai/x'))).rejects.toThrow('OPENAI_API_KEY')
  })

  it('refuses a name that is registered for the process', () => {
    register('shared', answering)
    expect(() => createModelRegistry().register('shared', () => EMPTY)).toThrow('there is one already')
  })
})
