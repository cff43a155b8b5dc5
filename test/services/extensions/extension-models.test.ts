// Tests models of extensions in a server's sessions: at the opening, in lists, in settings, after an unload.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom, of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ExtensionApi, ExtensionDefinition } from '../../../lib/extensions/index.ts'
import { scripted } from '../../../lib/providers/offline/scripted.ts'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import type { ServerBackend } from '../../../lib/services/contract/server-backend.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import type { ModelsProvider } from '../../../lib/streams/config/settings.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { resultOf } from '../../support/result-of.ts'

let top: string
let backend: ServerBackend
const at = (...names: readonly string[]): string => path.join(top, ...names)
const env = () => ({
  RXPI_HOME: at('state'),
  XDG_CONFIG_HOME: at('config'),
  HOME: at('own'),
  ACME_KEY: 'secret-acme-key',
})

function serve(...extensions: readonly ExtensionDefinition[]): void {
  backend = createServerBackend({ env: env(), version: '0.2.0', session: () => ({ extensions }) })
}

const extension = (setup: (own: ExtensionApi) => void, capabilities: ExtensionDefinition['capabilities'] = ['http']) =>
  ({ name: 'acme', version: '1.0.0', capabilities, setup }) satisfies ExtensionDefinition

const echoModel = { id: 'echo', provider: 'own', api: 'own', inputs: ['text' as const], reasoning: false }
const endpoint = (baseUrl = 'http://127.0.0.1:9/v1'): ModelsProvider => ({
  api: 'openai-completions',
  baseUrl,
  apiKey: '$ACME_KEY',
  models: [{ id: 'fast', contextWindow: 9_000 }],
})

beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-extension-models-')))
  mkdirSync(at('work'))
  mkdirSync(at('config/rxpi'), { recursive: true })
})
afterEach(async () => {
  await lastValueFrom(backend.close(), { defaultValue: undefined })
  rmSync(top, { recursive: true })
})

async function open(model?: string): Promise<Session> {
  const named = model === undefined ? {} : { model }
  return (await resultOf(backend.sessions.create({ cwd: at('work'), env: env(), ...named }))).session
}

async function failureOf(act: Promise<unknown>): Promise<string> {
  const error: unknown = await act.then(() => undefined, (thrown: unknown) => thrown) // prettier-ignore
  return error instanceof Failure ? `${error.code}: ${error.message}` : String(error)
}

const send = (session: Session, text: string) =>
  lastValueFrom(session.run(text), { defaultValue: undefined }).then(() => session.state$.value)

describe('a model that an extension serves itself', () => {
  it('opens a session by its name, answers, and is in the list of that session alone', async () => {
    serve(extension(({ models }) => void models.register({ model: echoModel, provider: scripted(['Hello', 'Again']) })))
    const session = await open('own/echo')
    const state = await send(session, 'Hi')
    expect(state.lastEnd?.terminationReason).toBe('completed')
    const { models } = await resultOf(
      backend.models.list({ cwd: at('work'), env: env(), provider: 'own' }, session.extensionModels?.()),
    )
    expect(models).toEqual([{ model: echoModel, usable: true, served: false }])
    expect(await failureOf(resultOf(backend.models.list({ cwd: at('work'), env: env(), provider: 'own' })))).toContain(
      'There is no provider "own"',
    )
    await lastValueFrom(session.close(), { defaultValue: undefined })
  })

  it('answers no more once its extension is gone', async () => {
    let registration: { unregister(): void } | undefined
    serve(extension(({ models }) => void (registration = models.register({ model: echoModel, provider: () => of() }))))
    const session = await open('own/echo')
    registration?.unregister()
    expect(await failureOf(resultOf(session.send({ type: 'set_model', model: 'own/echo' })))).toContain('own')
    await lastValueFrom(session.close(), { defaultValue: undefined })
  })
})

describe('a provider that an extension names', () => {
  it('opens a session by the settings, and sends its key to its own address alone', async () => {
    writeFileSync(at('config/rxpi/settings.json'), JSON.stringify({ model: 'acme/fast' }))
    const sent: (string | undefined)[] = []
    const server = createServer((request, response) => {
      if (request.method === 'POST') sent.push(request.headers.authorization)
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: 'not today' } }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = server.address() as AddressInfo
    let registration: { unregister(): void } | undefined
    serve(extension(({ models }) => void (registration = models.provider('acme', endpoint(`http://127.0.0.1:${port}/v1`))))) // prettier-ignore
    const session = await open()
    expect(session.unusable).toBeUndefined()
    expect(session.model).toMatchObject({ provider: 'acme', id: 'fast', contextWindow: 9_000 })
    expect((await send(session, 'Hi')).lastEnd?.error?.message).toContain('not today')
    expect(sent).toEqual(['Bearer secret-acme-key'])
    const list = { cwd: at('work'), env: env(), provider: 'acme' }
    const { models } = await resultOf(backend.models.list(list, session.extensionModels?.()))
    expect(models.map(({ model, usable }) => [model.id, usable])).toEqual([['fast', true]])
    registration?.unregister()
    expect(await failureOf(resultOf(session.send({ type: 'set_model', model: 'acme/fast' })))).toMatch(/^bad_request: .*acme/) // prettier-ignore
    expect((await send(session, 'Again')).lastEnd?.error?.message).toContain('was unloaded; choose another model')
    expect(sent).toHaveLength(1)
    await lastValueFrom(session.close(), { defaultValue: undefined })
    server.close()
  })

  it('fails as before if no extension offers the model', async () => {
    serve(extension(({ models }) => void models.provider('acme', endpoint())))
    expect(await failureOf(open('nobody/x'))).toMatch(/^bad_request: .*nobody/)
  })

  it.each<[string, (own: ExtensionApi) => unknown, string]>([
    ['the name of a preset', ({ models }) => models.provider('openai', endpoint()), 'that of another provider'],
    ['a name that is none', ({ models }) => models.provider('A b', endpoint()), 'is no name of a provider'],
    ['the key of another provider', ({ models }) => models.provider('x', { ...endpoint(), apiKey: '${OPENAI_API_KEY}' }), '$OPENAI_API_KEY is the key of another'], // prettier-ignore
    ['a key that is a command', ({ models }) => models.provider('x', { ...endpoint(), apiKey: ['!cat /etc/passwd'] }), 'belongs into models.json'], // prettier-ignore
    ['an unknown field', ({ models }) => models.provider('x', { ...endpoint(), keys: 1 } as never), 'there is no field "keys"'], // prettier-ignore
    ['no address', ({ models }) => models.provider('x', { api: 'openai-completions' }), 'baseUrl is missing'],
    ['a name twice', ({ models }) => [models.provider('x', endpoint()), models.provider('x', endpoint())], 'offers the provider x already'], // prettier-ignore
  ])('is refused with %s', async (_, act, words) => {
    let message = ''
    serve(
      extension((own) => {
        try {
          act(own)
        } catch (error) {
          message = String(error)
        }
      }),
    )
    const session = await open('demo/guide')
    expect(message).toContain(words)
    await lastValueFrom(session.close(), { defaultValue: undefined })
  })

  it('needs the capability http', async () => {
    serve(extension(({ models }) => void models.provider('acme', endpoint()), ['read']))
    expect(await failureOf(open('acme/fast'))).toContain('acme')
  })
})

describe('a session of a program', () => {
  it('is created with a model of its extensions', async () => {
    serve()
    const definition = extension(({ models }) => {
      models.provider('acme', endpoint())
      models.register({ model: echoModel, provider: scripted(['Hello']) })
    })
    const options = { cwd: at('work'), env: env(), approve: 'auto', extensions: [definition] } as const
    for (const model of ['acme/fast', 'own/echo']) {
      const session = createSession({ ...options, model })
      expect([session.unusable, `${session.model.provider}/${session.model.id}`]).toEqual([undefined, model])
      await lastValueFrom(session.close(), { defaultValue: undefined })
    }
    expect(() => createSession({ ...options, model: 'nobody/x' })).toThrow('nobody')
  })
})
