// Tests which environment a provider's key, address and account come from: the client's or that of the server's start.
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { endpointNamed } from '../../../lib/providers/endpoints/endpoint.ts'
import type { EndpointSources } from '../../../lib/providers/endpoints/endpoint.ts'
import { createKeyMemory } from '../../../lib/providers/keys/key-memory.ts'
import { keyOrigin, listKeys } from '../../../lib/providers/resolve/list-keys.ts'
import { resolveModel } from '../../../lib/providers/resolve/resolve-model.ts'
import type { AuthStorage } from '../../../lib/streams/ports/auth-storage.ts'
import { resultOf } from '../../support/result-of.ts'

const vendor = 'https://api.openai.com/v1'
const gateway = 'https://gateway.example/v1'

const stored: AuthStorage = {
  list: () => [
    {
      id: 'abcdefg2',
      provider: 'openai',
      origin: 'https://api.openai.com',
      kept: 'file',
      kind: 'variable',
      variable: 'MINE',
    },
  ],
  read: () => of('$MINE'),
}

function sources(own: Partial<EndpointSources>): EndpointSources {
  return { env: {}, models: { providers: {} }, memory: createKeyMemory(), cwd: '/', ...own }
}

async function used(own: Partial<EndpointSources>, provider = 'openai') {
  const endpoint = endpointNamed(provider, sources(own))
  const keys = await Promise.all((endpoint?.keys() ?? []).map(({ value$ }) => resultOf(value$)))
  return [endpoint?.baseUrl, ...keys]
}

describe('the key and the address of a provider', () => {
  it.each<[string, Partial<EndpointSources>, (string | undefined)[]]>([
    ['are the client’s first', { env: { OPENAI_API_KEY: 'c' }, startEnv: { OPENAI_API_KEY: 's' } }, [vendor, 'c']],
    ['are then those of the server’s start', { startEnv: { OPENAI_API_KEY: 's' } }, [vendor, 's']],
    [
      'are those of the start before a stored key and models.json',
      {
        startEnv: { OPENAI_API_KEY: 's', MINE: 'm' },
        authStorage: stored,
        models: { providers: { openai: { apiKey: 'f' } } },
      },
      [vendor, 's'],
    ],
    [
      'take an empty variable for none',
      { env: { OPENAI_API_KEY: ' ' }, startEnv: { OPENAI_API_KEY: 's' } },
      [vendor, 's'],
    ],
    ['come together from the start', { startEnv: { OPENAI_API_KEY: 's', OPENAI_BASE_URL: gateway } }, [gateway, 's']],
    [
      'do not combine the client’s address with a key of the start',
      { env: { OPENAI_BASE_URL: 'http://evil.example' }, startEnv: { OPENAI_API_KEY: 's' } },
      [vendor, 's'],
    ],
    [
      'do not combine an address of the start with the client’s key',
      { env: { OPENAI_API_KEY: 'c' }, startEnv: { OPENAI_API_KEY: 's', OPENAI_BASE_URL: gateway } },
      [vendor, 'c'],
    ],
    [
      'do not combine an address of the start with a stored key',
      { startEnv: { OPENAI_BASE_URL: gateway, MINE: 'm' }, authStorage: stored },
      [vendor, 'm'],
    ],
    ['keep a client’s address without any key', { env: { OPENAI_BASE_URL: gateway }, startEnv: {} }, [gateway]],
    [
      'take a variable of models.json from the start too',
      { env: { A: 'c' }, startEnv: { A: 's', B: 's' }, models: { providers: { openai: { apiKey: ['$A', '$B'] } } } },
      [vendor, 'c', 's'],
    ],
  ])('%s [S7e, S7f]', async (_, own, expected) => {
    expect(await used(own)).toEqual(expected)
  })

  it('come from the start for a provider whose key is optional', async () => {
    expect(await used({ startEnv: { LITELLM_BASE_URL: gateway } }, 'litellm')).toEqual([gateway])
  })

  it('bring the rest of the account with them', () => {
    const startEnv = { GOOGLE_CLOUD_PROJECT: 'p', GOOGLE_APPLICATION_CREDENTIALS: '/k.json' }
    expect(endpointNamed('vertex', sources({ env: { GOOGLE_CLOUD_LOCATION: 'eu' }, startEnv }))?.env).toBe(startEnv)
  })

  it('report the client’s address that is not used [S7f]', () => {
    const env = { OPENAI_BASE_URL: gateway }
    expect(endpointNamed('openai', sources({ env, startEnv: { OPENAI_API_KEY: 's' } }))?.notices).toEqual([
      {
        code: 'base_url_left_out',
        message:
          "OPENAI_BASE_URL of this shell is not used, because the key of openai is from the server's start: set OPENAI_API_KEY beside it.",
      },
    ])
    expect(endpointNamed('openai', sources({ env, startEnv: { OPENAI_API_KEY: 's', ...env } }))?.notices).toEqual([])
  })

  it('never lead a key that a person stores to an address of the start', () => {
    const startEnv = { OPENAI_API_KEY: 's', OPENAI_BASE_URL: gateway }
    expect(keyOrigin('openai', 'sk-new', sources({ startEnv }))).toBe('https://api.openai.com')
  })
})

describe('the environment of the server’s start', () => {
  it('gives a command of models.json nothing [S7e]', async () => {
    const models = { providers: { openai: { apiKey: '!echo "${SECRET-none}"' } } }
    expect(await used({ env: { PATH: process.env['PATH'] ?? '' }, startEnv: { SECRET: 's' }, models })).toEqual([
      vendor,
      'none',
    ])
  })

  it('is named as the source of a key [S7g]', () => {
    const startEnv = { OPENAI_API_KEY: 's', GROQ_API_KEY: 's' }
    const listed = listKeys(sources({ env: { GROQ_API_KEY: 'c' }, startEnv }))
    expect(listed).toEqual([
      { provider: 'openai', keys: [expect.objectContaining({ name: 'OPENAI_API_KEY', ofServer: true, used: true })] },
      { provider: 'groq', keys: [{ from: 'environment', kind: 'variable', name: 'GROQ_API_KEY', used: true }] },
    ])
  })

  it('is named as the reason for which another key is not used [S7g]', () => {
    const models = { providers: { openai: { apiKey: 'f' } } }
    const [listed] = listKeys(sources({ startEnv: { OPENAI_API_KEY: 's' }, models }))
    expect(listed?.keys.map(({ unusedBecause }) => unusedBecause)).toEqual([
      undefined,
      "OPENAI_API_KEY of the server's start takes precedence",
    ])
  })

  it.each([
    [{ OPENAI_API_KEY: 's' }, {}, 'because OPENAI_API_KEY was set when the server was started'],
    [{ OPENAI_API_KEY: 's' }, { GROQ_API_KEY: 'c' }, 'because GROQ_API_KEY is set'],
  ])(
    'chooses a model after the keys of the client, and the notice names the source [S7g]',
    async (startEnv, env, because) => {
      const { notices } = await resultOf(resolveModel({ env, startEnv, models: { providers: {} } }))
      expect(notices[0]?.message).toContain(because)
    },
  )
})
