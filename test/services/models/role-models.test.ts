// Tests roles in sessions of a server: by name, of the folder, listed, and what cannot be used.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configuredModel, sessionModel } from '../../../lib/services/models/configured-model.ts'
import type { ConfiguredModel, UserConfiguration } from '../../../lib/services/models/configured-model.ts'
import { createModelsBackend } from '../../../lib/services/models/models-backend.ts'
import { fileAuthStorage, loadConfiguration } from '../../../lib/store/index.ts'
import { modelName } from '../../../lib/streams/models/model.ts'
import { resultOf } from '../../support/result-of.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-role-models-'))
  mkdirSync(path.join(folder, 'config'))
  const models = ['own', 'small', 'old', 'big'].map((id) => ({ id }))
  const here = { baseUrl: 'http://127.0.0.1:1/v1', models, apiKey: 'k' }
  write('models.json', { providers: { here } })
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

function write(file: string, content: object): void {
  writeFileSync(path.join(folder, 'config', file), JSON.stringify(content), { mode: 0o600 })
}

interface Setup {
  readonly model?: string
  readonly cwd?: string
  readonly env?: Record<string, string>
  readonly logged?: string
}

function configuration(env: Record<string, string>): UserConfiguration {
  return {
    ...loadConfiguration({ env, configFolder: path.join(folder, 'config') }),
    authStorage: fileAuthStorage({ home: path.join(folder, 'home') }),
    home: path.join(folder, 'home'),
    keepsChoice: false,
  }
}

function find({ model, cwd = folder, env: more = {}, logged }: Setup): Promise<ConfiguredModel> {
  const env = { RXPI_LOCAL_MODELS_MS: '0', HOME: folder, ...more }
  const command = { cwd, env, ...(model === undefined ? {} : { model }) }
  return resultOf(configuredModel(command, configuration(env), logged))
}

const facts = ({ model, role, thinkingLevel, source, fallbacks = [] }: ConfiguredModel) =>
  [modelName(model), role, thinkingLevel, source, fallbacks.map((each) => each.model.id).join()] as const

const settings = {
  model: 'here/old',
  fallbacks: ['here/small'],
  models: {
    default: 'here/own:low',
    smol: ['here/small:off', 'here/own'],
    slow: 'openai/no-key',
    paths: { '**/legacy/**': { default: 'here/old', smol: 'here/big' } },
  },
}

describe('the model of a session', () => {
  it.each<readonly [string, Setup, ReturnType<typeof facts>]>([
    ['is that of models.default, before model', {}, ['here/own', 'default', 'low', 'settings', 'small']],
    ['is a named one', { model: 'here/big' }, ['here/big', undefined, undefined, 'command', 'small']],
    ['is that of a named role', { model: '@smol' }, ['here/small', 'smol', 'off', 'command', 'own']],
    [
      'of a role without a model is the usual one',
      { model: '@plan' },
      ['here/own', 'default', 'low', 'command', 'small'],
    ],
    [
      'is that of RXPI_MODEL',
      { env: { RXPI_MODEL: 'here/big' } },
      ['here/big', undefined, undefined, 'environment', 'small'],
    ],
    [
      'is that of a role in RXPI_MODEL',
      { env: { RXPI_MODEL: '@smol' } },
      ['here/small', 'smol', 'off', 'environment', 'own'],
    ],
    ['is that of the log', { logged: 'here/big' }, ['here/big', undefined, undefined, 'session', 'small']],
    [
      'of a log with the usual one has its role',
      { logged: 'here/own' },
      ['here/own', 'default', undefined, 'session', 'small'],
    ],
    ['is that of the folder', { cwd: '/x/legacy/y' }, ['here/old', 'default', undefined, 'folder', 'small']],
    [
      'of a role is that of the folder',
      { cwd: '/x/legacy', model: '@smol' },
      ['here/big', 'smol', undefined, 'command', 'small'],
    ],
  ])('%s [CONFIG-role_by_name, CONFIG-roles_of_paths]', async (_, setup, expected) => {
    write('settings.json', settings)
    expect(facts(await find(setup))).toEqual(expected)
  })

  it('has a notice of a role without a model, and of the folder', async () => {
    write('settings.json', settings)
    expect((await find({ model: '@plan' })).notices).toEqual([
      { code: 'role_undefined', message: 'The role @plan has no model (setting models.plan); here/own is used' },
    ])
    expect((await find({ cwd: '/x/legacy' })).notices).toEqual([
      {
        code: 'model_for_folder',
        message: 'The model of this folder is here/old (models.paths."**/legacy/**".default)',
      },
    ])
  })

  it('names the setting of a role that cannot be used', async () => {
    write('settings.json', settings)
    await expect(find({ model: '@slow' })).rejects.toMatchObject({
      code: 'provider_error',
      message: expect.stringMatching(/^models\.slow of settings\.json names openai\/no-key, which cannot be used: There is no key/) as string, // prettier-ignore
    })
    await expect(find({ model: '@slo' })).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('is none if that of the folder cannot be used, and the notice names the setting', async () => {
    write('settings.json', { models: { default: 'here/own', paths: { legacy: { default: 'openai/no-key' } } } })
    const env = { RXPI_LOCAL_MODELS_MS: '0', HOME: folder }
    const found = await resultOf(sessionModel({ cwd: '/x/legacy', env }, configuration(env), undefined))
    expect(found.unusable).toMatchObject({ code: 'no_model' })
    expect(modelName(found.model)).toBe('openai/no-key')
    expect(found.notices[0]?.message).toMatch(
      /^models\.paths\."legacy"\.default of settings\.json names openai\/no-key/,
    )
  })
})

it('list_models names the roles of the folder [CONFIG-roles]', async () => {
  write('settings.json', settings)
  const env = { RXPI_LOCAL_MODELS_MS: '0', HOME: folder }
  const list = await resultOf(
    createModelsBackend(configuration, folder).list({ cwd: '/x/legacy', env, provider: 'here' }, undefined),
  )
  expect(list.roles).toEqual([
    { role: 'default', model: 'here/old', setting: 'models.paths."**/legacy/**".default' },
    { role: 'smol', model: 'here/big', setting: 'models.paths."**/legacy/**".smol' },
    { role: 'slow', model: 'openai/no-key', setting: 'models.slow' },
  ])
})
