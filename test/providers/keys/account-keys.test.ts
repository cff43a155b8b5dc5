// Tests when an account stands for a key, and what happens after its token was refused.
import { EMPTY, catchError, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createKeyMemory } from '../../../lib/providers/keys/key-memory.ts'
import { rotateKeys } from '../../../lib/providers/keys/key-rotation.ts'
import { providerKeys, usedKeys } from '../../../lib/providers/keys/provider-keys.ts'
import { providerModel } from '../../../lib/providers/resolve/provider-model.ts'
import { endpointNamed } from '../../../lib/providers/endpoints/endpoint.ts'
import { presets } from '../../../lib/providers/endpoints/presets.ts'
import type { StoredAccount } from '../../../lib/streams/accounts/account-storage.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { valuesOf } from '../../support/values-of.ts'

const account: StoredAccount = {
  ...{ id: 'abcdefgh', provider: 'xai', origin: 'https://api.x.ai', kept: 'file' },
  ...{ renewedAt: 1, expiresAt: 9, name: 'ada', plan: 'super' },
}
const storedKey = { id: 'bcdefghi', provider: 'xai', origin: 'https://api.x.ai', kept: 'file', kind: 'key' } as const

function sourcesWith(accounts: readonly StoredAccount[], env: Record<string, string> = {}) {
  const refusals: (string | undefined)[] = []
  const access$ = (_: StoredAccount, refused?: string): Observable<string> => {
    refusals.push(refused)
    return of(refused === undefined ? 'token-1' : 'token-2')
  }
  const authStorage = {
    list: () => [storedKey],
    read: () => of('sk-stored'),
    accounts: { list: (provider: string) => accounts.filter((each) => each.provider === provider), access: access$ },
  }
  return { refusals, sources: { env, authStorage, memory: createKeyMemory(), cwd: '/', models: { providers: {} } } }
}

const address = {
  ...{ provider: 'xai', preset: presets['xai'], entry: undefined },
  ...{ baseUrl: 'https://api.x.ai/v1', isFromEnvironment: false },
}

describe('an account', () => {
  it('comes before stored keys and after the environment', () => {
    const labels = (env: Record<string, string>) =>
      usedKeys(address, sourcesWith([account], env).sources).map(({ label }) => label)
    expect(labels({})).toEqual(['the account of xai'])
    expect(labels({ XAI_API_KEY: 'sk-env' })).toEqual(['XAI_API_KEY'])
  })

  it('is listed with name, plan and expiry, and without a token', () => {
    const [first, second] = providerKeys(address, sourcesWith([account]).sources).map(({ origin }) => origin)
    expect(first).toEqual({
      ...{ from: 'file', kind: 'key', keyId: 'abcdefgh', origin: 'https://api.x.ai', used: true },
      account: { accountId: 'abcdefgh', name: 'ada', plan: 'super', expiresAt: 9 },
    })
    expect(second).toMatchObject({ used: false, unusedBecause: 'the account of xai takes precedence' })
  })

  it.each([
    ['another address of the provider', 'https://proxy.example.com/v1', account],
    ['another address of the account', 'https://api.x.ai/v1', { ...account, baseUrl: 'https://other.example.com' }],
  ])('is not used at %s', (_, baseUrl, stored) => {
    const [key] = providerKeys({ ...address, baseUrl }, sourcesWith([stored]).sources)
    expect(key?.origin).toMatchObject({
      used: false,
      unusedBecause: expect.stringContaining('it is for https://api.x.ai') as string,
    })
  })

  it('sends its token to its own address', async () => {
    const own = { ...account, baseUrl: 'https://eu.x.ai', origin: 'https://eu.x.ai' }
    const endpoint = endpointNamed('xai', sourcesWith([own]).sources)
    const sent: [string, string | null][] = []
    const fetch: typeof globalThis.fetch = (input, init) => {
      sent.push([new URL(input as string).origin, new Headers(init?.headers).get('authorization')])
      return Promise.resolve(new Response('{}', { status: 500 }))
    }
    if (endpoint === undefined) throw new Error('xai has an endpoint')
    const catalogue = { entry: () => undefined, ids: () => [] }
    const { provider, model } = providerModel('grok-4.7', endpoint, { fetch, memory: createKeyMemory(), catalogue })
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }], timestamp: 0 }]
    const request = { model, system: '', messages, tools: [], thinkingLevel: 'off' as const }
    await valuesOf(provider(request).pipe(catchError(() => EMPTY)))
    expect(sent[0]).toEqual(['https://eu.x.ai', 'Bearer token-1'])
  })
})

describe('the token of an account', () => {
  const failure = (status: number) => new Failure('provider_error', 'no', { data: { kind: 'auth', status } })
  function requester(status: number) {
    const { sources, refusals } = sourcesWith([account])
    const respond$ = rotateKeys({
      provider: 'xai',
      keys: () => usedKeys(address, sources),
      memory: createKeyMemory(),
      respondWith: (key$) => () => {
        key$.subscribe()
        return throwError(() => failure(status))
      },
    })
    const dataOf = async (): Promise<Failure['data']> => {
      let data: Failure['data'] = {}
      await valuesOf(
        respond$({ model: { id: 'grok-4.7' } } as never).pipe(
          catchError((error: unknown) => {
            data = Failure.from(error).data
            return EMPTY
          }),
        ),
      )
      return data
    }
    return { dataOf, refusals }
  }

  it('that is refused with 401 is renewed for the next request, once', async () => {
    const { dataOf, refusals } = requester(401)
    expect(await dataOf()).toMatchObject({ otherKey: { from: 'the token of the account of xai', to: 'a renewed one' } })
    expect(await dataOf()).not.toHaveProperty('otherKey')
    expect(refusals).toEqual([undefined, 'token-1'])
  })

  it('that is refused with 403 is not renewed: the plan lacks the model', async () => {
    const { dataOf, refusals } = requester(403)
    expect(await dataOf()).not.toHaveProperty('otherKey')
    await dataOf()
    expect(refusals).toEqual([undefined, undefined])
  })
})
