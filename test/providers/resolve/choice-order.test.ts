// Tests the order in which a model is chosen: last choice, models.json, local endpoint, keys by vendor.
import { EMPTY } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { resultOf } from '../../support/result-of.ts'
import { chooseModel } from '../../../lib/providers/resolve/choose-model.ts'
import type { ChooseModelOptions } from '../../../lib/providers/resolve/choose-model.ts'
import type { StoredAccount } from '../../../lib/streams/accounts/account-storage.ts'
import { modelName } from '../../../lib/streams/models/model.ts'
import type { ModelsFile } from '../../../lib/streams/config/settings.ts'
import { ollamaServer } from './local-servers.ts'

const me = process.getuid?.() ?? 0
const nowhere = { baseUrl: 'http://gpu-box.invalid/v1' }
const noServers = { ollama: nowhere, lmstudio: nowhere, vllm: nowhere, llamacpp: nowhere }
const env = { ANTHROPIC_API_KEY: 'k' }
const work = {
  baseUrl: 'https://models.example.com/v1',
  apiKey: '$WORK_KEY',
  models: [{ id: 'coder' }, { id: 'other' }],
}

function chosen(
  providers: ModelsFile['providers'],
  options: Partial<ChooseModelOptions> = {},
): Promise<readonly [name: string, notice: string]> {
  const models = { providers: { ...noServers, ...providers } }
  const found$ = chooseModel({ env, models, localMs: 20_000, user: me, ownersOf: () => [me], ...options })
  return resultOf(found$).then(({ model, notices }) => [modelName(model), notices[0]?.message ?? ''])
}

describe('without a named model', () => {
  it('takes the last choice, then models.json, then a local endpoint, then a key [MODEL-order]', async () => {
    await using server = await ollamaServer({ 'm:latest': { loaded: 32_768 } })
    const ollama = { baseUrl: `${server.url}/v1` }
    const keys = { ...env, WORK_KEY: 'k', XAI_API_KEY: 'k' }
    expect(await chosen({ ollama, work }, { env: keys, last: 'xai/grok-4.7' })).toEqual([
      'xai/grok-4.7',
      'Using xai/grok-4.7, because it was chosen last; use --model or /model for another.',
    ])
    expect(await chosen({ ollama, work }, { env: keys })).toEqual([
      'work/coder',
      'Using work/coder, because it is the first usable model of models.json; use --model or /model for another.',
    ])
    expect(await chosen({ ollama }, { env: keys })).toEqual([
      'ollama/m:latest',
      `Using ollama/m:latest at ${server.url}/v1, because it runs here; use --model or /model for another.`,
    ])
    expect((await chosen({}, { env: keys }))[1]).toContain('because ANTHROPIC_API_KEY is set;')
  })

  it.each([
    [undefined, 'github-copilot/gpt-6.1-sol'],
    [['gpt-6-luna', 'gpt-6.1-sol'], 'github-copilot/gpt-6.1-sol'],
    [['gpt-6-luna'], 'github-copilot/gpt-6-luna'],
  ])('takes the plan that a person signed in to, with models %j [MODEL-order]', async (models, expected) => {
    const account: StoredAccount = {
      ...{ id: 'abcdefgh', provider: 'github-copilot', origin: 'https://api.individual.githubcopilot.com' },
      ...{ kept: 'file', renewedAt: 1, ...(models === undefined ? {} : { models }) },
    }
    const accounts = { list: (name: string) => (name === account.provider ? [account] : []), access: () => EMPTY }
    const authStorage = { list: () => [], read: () => EMPTY, accounts }
    const because = 'you are signed in to github-copilot'
    expect(await chosen({}, { env: {}, authStorage })).toEqual([
      expected,
      `Using ${expected}, because ${because}; use --model or /model for another.`,
    ])
    await expect(chosen({}, { env: {} })).rejects.toMatchObject({ code: 'no_model' })
  })

  it('says how to sign in to a plan that is named', async () => {
    await expect(chosen({}, { env: {}, name: 'openai-codex/gpt-6-sol' })).rejects.toMatchObject({
      code: 'provider_error',
      message: 'rxpi is not signed in to openai-codex: sign in with /login, or rxpi auth login openai-codex.',
    })
  })

  it.each<[string, ModelsFile['providers']]>([
    ['has no key', { work }],
    ['lists no models', { work: { ...work, models: [] }, anthropic: { baseUrl: 'https://gateway.example.com' } }],
    ['does not listen on this machine', { here: { baseUrl: 'http://localhost:4321/v1', models: [{ id: 'm' }] } }],
  ])('skips a provider of models.json that %s [MODEL-order]', async (_, providers) => {
    const [name] = await chosen(providers, { ownersOf: () => [] })
    expect(name).toMatch(/^anthropic\//)
    expect((await chosen({ ...providers, next: { ...work, apiKey: 'k' } }, { ownersOf: () => [] }))[0]).toBe(
      'next/coder',
    )
  })

  it.each<[string, () => readonly number[] | undefined, string]>([
    ['this user', () => [me], 'here/m'],
    ['an unknown owner, because a person wrote the address', () => undefined, 'here/m'],
    ['another user', () => [1000 + me], 'anthropic/'],
  ])('uses a server that models.json has on this machine by its listener: %s [S12a]', async (_, ownersOf, name) => {
    const here = { baseUrl: 'http://localhost:4321/v1', models: [{ id: 'm' }] }
    expect((await chosen({ here }, { ownersOf }))[0]).toContain(name)
  })
})
