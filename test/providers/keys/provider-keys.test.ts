// Tests which key a request uses, and to which addresses it may go.
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { endpointNamed, endpointAddress } from '../../../lib/providers/endpoints/endpoint.ts'
import type { EndpointSources } from '../../../lib/providers/endpoints/endpoint.ts'
import { createKeyMemory } from '../../../lib/providers/keys/key-memory.ts'
import { providerKeys } from '../../../lib/providers/keys/provider-keys.ts'
import type { AuthStorage, StoredKey } from '../../../lib/streams/ports/auth-storage.ts'
import { resultOf } from '../../support/result-of.ts'

const openai = 'https://api.openai.com'

function stored(values: Readonly<Record<string, string>>, origin = openai): AuthStorage {
  const keys = Object.keys(values).map((id): StoredKey => ({
    id,
    provider: 'openai',
    origin,
    kept: 'file',
    kind: 'key',
  }))
  return {
    list: (provider) => keys.filter((key) => provider === undefined || key.provider === provider),
    read: ({ id }) => of(values[id] ?? ''),
  }
}

function sources(own: Partial<EndpointSources> = {}): EndpointSources {
  return { env: {}, models: { providers: {} }, memory: createKeyMemory(), cwd: '/', ...own }
}

function described(own: Partial<EndpointSources>, provider = 'openai') {
  const workspace = endpointAddress(provider, sources(own))
  if (workspace === undefined) throw new Error('there is no such provider')
  return providerKeys(workspace, sources(own)).map(({ origin: { from, used, unusedBecause } }) => [
    from,
    used,
    unusedBecause,
  ])
}

const keysOf = (own: Partial<EndpointSources>, provider = 'openai') =>
  Promise.all((endpointNamed(provider, sources(own))?.keys() ?? []).map(({ value$ }) => resultOf(value$)))

const env = { OPENAI_API_KEY: 'sk-env' }
const authStorage = stored({ abcdefg2: 'sk-stored' })
const models = { providers: { openai: { apiKey: 'sk-models' } } }

describe('key order', () => {
  it.each<[string, Partial<EndpointSources>, string[]]>([
    ['uses the environment before a stored key and models.json', { env, authStorage, models }, ['sk-env']],
    ['uses a stored key before models.json', { authStorage, models }, ['sk-stored']],
    ['uses models.json last', { models }, ['sk-models']],
    ['ignores an empty variable', { env: { OPENAI_API_KEY: ' ' }, models }, ['sk-models']],
    [
      'uses all keys stored for the address, in their order',
      { authStorage: stored({ abcdefg2: 'a', bcdefgh2: 'b' }), models },
      ['a', 'b'],
    ],
    [
      'uses all keys of models.json whose variables are set',
      { env: { ONE: 'sk-1' }, models: { providers: { openai: { apiKey: ['$ONE', '$TWO', 'sk-3'] } } } },
      ['sk-1', 'sk-3'],
    ],
  ])('%s', async (_, own, expected) => {
    expect(await keysOf(own)).toEqual(expected)
  })

  it('gives the reason for each unused key', () => {
    expect(described({ env, authStorage, models })).toEqual([
      ['environment', true, undefined],
      ['file', false, 'OPENAI_API_KEY takes precedence'],
      ['models', false, 'OPENAI_API_KEY takes precedence'],
    ])
  })

  it('describes a long key by its last four characters only', () => {
    const workspace = endpointAddress('openai', sources())
    const long = { OPENAI_API_KEY: 'sk-0123456789-0123456789' }
    const [key] = workspace === undefined ? [] : providerKeys(workspace, sources({ env: long }))
    expect(key?.origin).toEqual({
      from: 'environment',
      kind: 'variable',
      name: 'OPENAI_API_KEY',
      tail: '…6789',
      used: true,
    })
    expect(key?.label).toBe('OPENAI_API_KEY')
  })
})

describe('address binding', () => {
  const elsewhere = { OPENAI_BASE_URL: 'http://localhost:9/v1' }

  it('does not send a stored key to another address', () => {
    expect(described({ env: elsewhere, authStorage })).toEqual([
      ['file', false, `it is for ${openai}, and the provider is at http://localhost:9`],
    ])
    const own = { providers: { openai: { baseUrl: 'https://gateway.example.com/v1' } } }
    expect(described({ models: own, authStorage })).toMatchObject([['file', false, expect.anything()]])
  })

  it('does not send a key of models.json to an address from the environment', async () => {
    expect(described({ env: elsewhere, models })).toEqual([['models', false, 'the address comes from the environment']])
    expect(await keysOf({ env: elsewhere, models })).toEqual([])
  })

  it('sends a key that is stored for that address', async () => {
    expect(await keysOf({ env: elsewhere, authStorage: stored({ abcdefg2: 'sk-own' }, 'http://localhost:9') })).toEqual(
      ['sk-own'],
    )
  })
})

describe('without a key', () => {
  it.each<[string, Partial<EndpointSources>, string]>([
    [
      'the address of the vendor',
      {},
      'There is no key for openai: set OPENAI_API_KEY, or store one with rxpi auth set openai',
    ],
    ['a variable of models.json', { models: { providers: { openai: { apiKey: '$WORK' } } } }, 'set WORK'],
  ])('fails with the remedy for %s', (_, own, says) => {
    expect(() => endpointNamed('openai', sources(own))?.keys()).toThrow(says)
  })

  it('sends no key to a local endpoint', async () => {
    expect(await keysOf({}, 'ollama')).toEqual([])
  })
})
