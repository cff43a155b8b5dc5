// Tests sessions without a usable model, the demo model, and a models.json that changes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServer } from '../../../lib/server/create-server.ts'
import type { Server } from '../../../lib/server/create-server.ts'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import { lastModel } from '../../../lib/store/config/last-model-file.ts'
import { ending, textChunk } from '../../providers/openai/openai-chunks.ts'
import { lineClient } from '../../support/line-client.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import type { RawSseServer } from '../../support/raw-sse-server.ts'
import { valuesOf } from '../../support/values-of.ts'

type Answer = Record<string, unknown>

let folder: string
let server: Server
let count = 0
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-model-'))
  server = start()
})
afterEach(async () => {
  await valuesOf(server.close())
  rmSync(folder, { recursive: true })
})

const env = (): Record<string, string> => ({ RXPI_LOCAL_MODELS_MS: '0', HOME: folder })

function start(): Server {
  const own = { HOME: folder, RXPI_HOME: path.join(folder, 'home'), XDG_CONFIG_HOME: path.join(folder, 'config') }
  return createServer({ host: createServerBackend({ env: own, version: '1' }), version: '1' })
}

/** Sends a command as a client of its own, or of a UI; returns its result or its error. */
async function ask(command: Answer, { ui = false }: { readonly ui?: boolean } = {}): Promise<Answer> {
  const client = lineClient(server)
  if (ui) client.ask('hello', { type: 'hello', ui: true })
  const id = String((count += 1))
  client.ask(id, command)
  await expect.poll(() => client.answers(id), { timeout: 10_000 }).toHaveLength(1)
  const [answer = {}] = client.answers(id)
  return (answer['result'] ?? answer['error']) as Answer
}

const workspace = (): Answer => ({ cwd: folder, env: env() })
const open = (more: Answer = {}): Promise<Answer> => ask({ type: 'new_session', ...workspace(), ...more })
const names = (model: unknown): string => `${String((model as Answer)['provider'])}/${String((model as Answer)['id'])}`

function writeModels(url: string, apiKey?: string): void {
  const file = path.join(folder, 'config/rxpi/models.json')
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const here = { baseUrl: `${url}/v1`, models: [{ id: 'm' }], ...(apiKey === undefined ? {} : { apiKey }) }
  writeFileSync(file, JSON.stringify({ providers: { here } }), { mode: 0o600 })
}

const endpoint = (): Promise<RawSseServer> => rawSseServer({ body: [textChunk('Hi.'), ending()] })

describe('a session without a usable model', () => {
  it.each([
    ['is required', { requireModel: true, store: false }, 'no_model'],
    ['is named', { model: 'here/m' }, 'bad_config'],
  ])(
    'fails with the warnings of the files, which may be the cause, if one %s [CONFIG-unknown_keys]',
    async (...row) => {
      const file = path.join(folder, 'config/rxpi/models.json')
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
      const here = { baseURL: 'http://127.0.0.1:1/v1', apiKey: 'k', models: [{ id: 'm' }] }
      writeFileSync(file, JSON.stringify({ providers: { here } }), { mode: 0o600 })
      const [, more, code] = row
      const answer = await open(more)
      expect(answer).toMatchObject({ code })
      expect(answer['message']).toMatch(/here\.baseURL is unknown .* Did you mean providers\.here\.baseUrl\?$/)
    },
  )

  it('is created, refuses prompts with a way out, and takes other commands [MODEL-none]', async () => {
    const { model, notices, session } = await open()
    expect([model, notices]).toEqual([
      null,
      [{ code: 'no_model', message: expect.stringMatching(/rxpi auth set/) as string }],
    ])
    for (const command of [{ type: 'prompt', text: 'Hi' }, { type: 'continue' }])
      expect(await ask({ ...command, session })).toMatchObject({ code: 'no_model' })
    expect(await ask({ type: 'rename_session', session, title: 'Read only' })).toEqual({})
    expect(await ask({ type: 'get_state', session })).not.toHaveProperty('model')
  })

  it('is not created if the command needs a model, or names one [MODEL-none]', async () => {
    expect(await open({ requireModel: true })).toMatchObject({ code: 'no_model' })
    expect(await open({ model: 'openai/gpt-5.1' })).toMatchObject({ code: 'provider_error' })
    expect(await ask({ type: 'list_sessions', cwd: folder })).toMatchObject({ total: 0 })
  })

  it('names the unusable model of the environment and its source [MODEL-none]', async () => {
    const { model, notices } = await open({ env: { ...env(), RXPI_MODEL: 'openai/gpt-5.1' } })
    const message = expect.stringMatching(
      /^The model openai\/gpt-5.1 of RXPI_MODEL cannot answer: There is no key/,
    ) as string
    expect([model, notices]).toEqual([null, [{ code: 'no_model', message }]])
  })

  it('is opened with the model of its log gone, and answers when that is back [MODEL-none, MODEL-reread]', async () => {
    await using vendor = await endpoint()
    writeModels(vendor.url)
    const { session } = await open({ model: 'here/m' })
    expect(await ask({ type: 'prompt', session, text: 'Hi' })).toMatchObject({ status: 'started' })
    await settled(session)
    await valuesOf(server.close())
    server = start()
    writeModels(vendor.url, '$GONE_KEY')
    const opened = await ask({ type: 'open_session', session, ...workspace() })
    expect([opened['model'], opened['readOnly']]).toEqual([null, undefined])
    expect(await ask({ type: 'get_entries', session })).toMatchObject({ entries: [{}, {}] })
    expect(await ask({ type: 'prompt', session, text: 'More' })).toMatchObject({
      code: 'no_model',
      message: expect.stringContaining('The model here/m of this session cannot answer') as string,
    })
    writeModels(vendor.url)
    expect(await ask({ type: 'prompt', session, text: 'More' })).toMatchObject({ status: 'started' })
    await settled(session)
    expect(await ask({ type: 'get_state', session })).toMatchObject({ model: 'here/m' })
  })
})

it('models.json is read again when a model is chosen [MODEL-reread]', async () => {
  await using vendor = await endpoint()
  const { session } = await open({ model: 'demo/guide' })
  expect(await ask({ type: 'set_model', session, model: 'here/m' })).toMatchObject({ code: 'bad_request' })
  writeModels(vendor.url)
  expect(names((await ask({ type: 'set_model', session, model: 'here/m' }))['model'])).toBe('here/m')
})

describe('the demo model', () => {
  it('answers unasked only in a UI whose user never had a usable model, and under npm start [MODEL-demo]', async () => {
    await using vendor = await endpoint()
    const offered = async (more: Answer = {}): Promise<unknown> => (await open({ offerDemo: true, ...more }))['model']
    expect(names(await offered())).toBe('demo/guide')
    expect(names(await offered())).toBe('demo/guide') // the demo is no usable model
    expect(await offered({ env: { ...env(), RXPI_MODEL: 'openai/gpt-5.1' } })).toBeNull()
    writeModels(vendor.url)
    expect(names(await offered())).toBe('here/m')
    writeModels(vendor.url, '$GONE_KEY')
    expect(await offered()).toBeNull()
    expect(names(await offered({ model: 'demo/guide' }))).toBe('demo/guide')
    expect(names(await offered({ env: { ...env(), RXPI_DEMO: '1' } }))).toBe('demo/guide')
  })
})

describe('the last chosen model', () => {
  const stored = (): string | undefined => lastModel(path.join(folder, 'home'))
  const run = async (session: unknown): Promise<void> => {
    await ask({ type: 'prompt', session, text: 'Hi' })
    await settled(session)
  }

  it('is that of a UI once it has answered, not that of a command or a script [MODEL-remembered]', async () => {
    await using vendor = await endpoint()
    writeModels(vendor.url)
    const { session } = await open({ model: 'here/m' })
    await run(session)
    await ask({ type: 'set_model', session, model: 'here/script' })
    await run(session)
    expect(stored()).toBeUndefined()
    await ask({ type: 'set_model', session, model: 'here/chosen' }, { ui: true })
    expect(stored()).toBeUndefined()
    await run(session)
    expect(stored()).toBe('here/chosen')
    await ask({ type: 'set_model', session, model: 'demo/guide' }, { ui: true })
    await run(session)
    expect(stored()).toBe('here/chosen')
  })

  it('is not one that failed [MODEL-remembered]', async () => {
    await using vendor = await rawSseServer({ status: 404, body: ['{"error":{"message":"no such model"}}'] })
    writeModels(vendor.url)
    const { session } = await open()
    await ask({ type: 'set_model', session, model: 'here/typo' }, { ui: true })
    await run(session)
    expect(stored()).toBeUndefined()
  })
})

/** Waits until no run is active. */
async function settled(session: unknown): Promise<void> {
  await expect
    .poll(async () => await ask({ type: 'get_state', session }), { timeout: 10_000 })
    .not.toHaveProperty('running')
}
