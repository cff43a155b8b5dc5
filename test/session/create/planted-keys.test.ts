// Tests that no event, log, error or response contains a key, even if a provider echoes it.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { untilSettled } from '../../../lib/operators/events/select-events.ts'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import { fileStore } from '../../../lib/store/index.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import type { RawAnswer, RawRequest } from '../../support/raw-sse-server.ts'
import { resultOf } from '../../support/result-of.ts'
import { valuesOf } from '../../support/values-of.ts'

const key = 'sk-planted/0123456789+abcdef'
const header = 'planted-header-0123456789'
const inAddress = 'planted-query-0123456789'
const planted = /planted[/-]/

/** The text around the first planted key. */
function leakIn(text: string): string | undefined {
  return /.{0,80}planted[/-].{0,40}/.exec(text)?.[0]
}

let folder: string
let home: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-echo-'))
  home = path.join(folder, 'home')
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

/** Everything that the provider was sent: as text, in an address, and in JSON. */
function echo({ headers, path: sentRequests }: RawRequest): string {
  return JSON.stringify({ headers, requestLog: sentRequests, key, url: encodeURIComponent(key), header })
}

const json = { 'content-type': 'application/json' }
const answers: Readonly<Record<string, (request: RawRequest) => RawAnswer>> = {
  'an error of its own': (request) => ({
    status: 401,
    headers: json,
    body: [`{"error":{"message":${JSON.stringify(echo(request))}}}`],
  }),
  'an error that is no JSON': (request) => ({ status: 500, body: [echo(request)] }),
  'a code': () => ({ status: 400, headers: json, body: [`{"error":{"code":${JSON.stringify(key)},"message":"no"}}`] }),
  'a limit': (request) => ({
    status: 429,
    headers: { ...json, 'retry-after': '9999' },
    body: [`{"error":${JSON.stringify(echo(request))}}`],
  }),
  'an error in mid-stream': (request) => ({
    body: [`data: {"type":"error","error":{"type":"x","message":${JSON.stringify(echo(request))}}}\n\n`],
  }),
  'invalid JSON in mid-stream': (request) => ({ body: [`data: ${echo(request).slice(1)}\n\n`] }),
  'a page': (request) => ({ headers: { 'content-type': 'text/html' }, body: [`<p>${echo(request)}`] }),
  'a redirect to another host': (request) => ({
    status: 307,
    headers: { location: `http://localhost:1/?${request.path}&key=${encodeURIComponent(key)}` },
  }),
}

const wires = ['openai-completions', 'openai-responses', 'anthropic-messages', 'google-generative-ai']

function modelsFor(api: string, baseUrl: string, apiKey: string | undefined = key) {
  const headers = { 'x-team-pass': header }
  return { providers: { mine: { api, baseUrl, headers, ...(apiKey === '' ? {} : { apiKey }) } } }
}

function filesIn(workspace: string): string[] {
  return readdirSync(workspace, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(workspace, name))
    .filter((name) => statSync(name).isFile())
}

/** All files and events that a run leaves. */
async function everythingOf(options: CreateSessionOptions): Promise<string> {
  const session = createSession({
    model: 'mine/m',
    cwd: folder,
    env: { HOME: folder },
    store: fileStore({ home }),
    ...options,
  })
  const events = valuesOf(session.events$.pipe(untilSettled()))
  await resultOf(session.send({ type: 'prompt', text: 'Hello' }))
  const reported = await events
  const state = session.state$.value
  await valuesOf(session.close())
  const files = filesIn(home).map((file) => readFileSync(file, 'utf8'))
  const remaining = { ...state, entries: [...state.entries.values()] }
  return [JSON.stringify(reported), JSON.stringify(remaining), JSON.stringify(session.model), ...files].join('\n')
}

describe.each(wires)('a provider of %s [S18a]', (api) => {
  it.each(Object.entries(answers))('that repeats its request in %s reveals no key', async (_, answer) => {
    await using server = await rawSseServer(answer)
    const text = await everythingOf({
      models: modelsFor(api, `${server.url}/v1?token=${inAddress}`),
      retry: { attempts: 1 },
    })
    expect(server.requests).toHaveLength(1)
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(key)
    expect(text).toContain('"terminationReason":"error"')
    expect(leakIn(text)).toBe(undefined)
  })
})

describe('a key [S18a]', () => {
  const ways: Readonly<Record<string, CreateSessionOptions>> = {
    'of the environment': { env: { MINE: key } },
    'of a command': {},
    'of a request': { getApiKey: () => Promise.resolve(key) },
  }
  const specs: Readonly<Record<string, string>> = {
    'of the environment': '$MINE',
    'of a command': `!echo '${key}'`,
    'of a request': '',
  }

  it.each(Object.entries(ways))('%s is not revealed', async (name, own) => {
    await using server = await rawSseServer((request) => ({
      status: 401,
      headers: json,
      body: [`{"error":{"message":${JSON.stringify(echo(request))}}}`],
    }))
    const models = modelsFor('openai-completions', `${server.url}/v1`, specs[name])
    const text = await everythingOf({
      models,
      ...own,
      ...(own.env === undefined ? {} : { env: { HOME: folder, ...own.env } }),
    })
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`)
    expect(leakIn(text)).toBe(undefined)
  })

  it('that is stored is only in its file, and in no response of the server', async () => {
    await using server = await rawSseServer((request) => ({
      status: 401,
      headers: json,
      body: [`{"error":{"message":${JSON.stringify(echo(request))}}}`],
    }))
    const env = { HOME: folder, RXPI_HOME: home, RXPI_KEY_STORAGE: 'file' }
    const config = path.join(folder, '.config', 'rxpi')
    mkdirSync(config, { recursive: true })
    writeFileSync(
      path.join(config, 'models.json'),
      JSON.stringify(modelsFor('openai-completions', `${server.url}/v1`, '')),
      { mode: 0o600 },
    )
    const host = createServerBackend({ env, version: '1' })
    const workspace = { cwd: folder, env }
    const stored = await resultOf(host.auth.set({ ...workspace, provider: 'mine', key }))
    const verified = await resultOf(host.auth.verify({ ...workspace, provider: 'mine' }))
    const listed = await resultOf(host.auth.list(workspace))
    const checks = await resultOf(host.config.doctor({ ...workspace, model: 'mine/m' }))
    const { session, notices } = await resultOf(host.sessions.create({ ...workspace, model: 'mine/m' }))
    const events = valuesOf(session.events$.pipe(untilSettled()))
    await resultOf(session.send({ type: 'prompt', text: 'Hello' }))
    const state = await resultOf(host.stored.getState({ session: session.id }))
    const answered = JSON.stringify([stored, verified, listed, checks, notices, await events, state])
    await valuesOf(session.close())
    expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${key}`)
    expect(answered).toContain('[key]')
    expect(leakIn(answered)).toBe(undefined)
    const files = filesIn(home).filter((file) => planted.test(readFileSync(file, 'utf8')))
    expect(files).toEqual([path.join(home, 'auth.json')])
  })
})
