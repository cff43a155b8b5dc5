// Measures the CPU of a request with a key and with the token of an account, in turns; writes JSON.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import { createKeyMemory } from '../lib/providers/keys/key-memory.ts'
import { resolveModel } from '../lib/providers/resolve/resolve-model.ts'
import { createAccountSource } from '../lib/providers/accounts/account-source.ts'
import { fileAccountStorage } from '../lib/store/config/file-account-storage.ts'
import { fileAuthStorage } from '../lib/store/config/file-auth-storage.ts'
import type { ProviderModel } from '../lib/streams/ports/provider.ts'
import { benchedApis } from './provider-wires.ts'

/** Microseconds of CPU a request, one figure a round. */
export interface RequestCosts {
  readonly requests: number
  /** The key is a variable of the environment. */
  readonly variable: number[]
  /** The key is stored. */
  readonly stored: number[]
  /** The token of an account, which expires in an hour. */
  readonly token: number[]
}

const requests = Number(process.argv[2] ?? 1_000)
const rounds = Number(process.argv[3] ?? 9)
const origin = 'https://api.x.ai'
const home = mkdtempSync(path.join(tmpdir(), 'rxpi-bench-accounts-'))
const wire = benchedApis.find(({ api }) => api === 'openai-responses')
const body = Buffer.from([...(wire?.frames(1) ?? [])].join(''))
const fetch: typeof globalThis.fetch = () =>
  Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))

const costs: RequestCosts = { requests, variable: [], stored: [], token: [] }
const ways = { variable: await variableModel(), stored: await storedModel(), token: await tokenModel() }
for (const model of Object.values(ways)) await cpuOf(model, requests) // compiles hot code
for (let round = 0; round < rounds; round++)
  for (const way of ['variable', 'stored', 'token'] as const) costs[way].push(await cpuOf(ways[way], requests))
process.stdout.write(JSON.stringify(costs))

function variableModel(): Promise<ProviderModel> {
  return modelWith(path.join(home, 'none'), { XAI_API_KEY: 'xai-key-of-the-environment' })
}

async function storedModel(): Promise<ProviderModel> {
  const folder = mkdtempSync(path.join(home, 'stored-'))
  const entry = { id: 'abcdefg2', origin, value: 'xai-key-that-is-stored' }
  writePrivate(folder, 'auth.json', { v: 1, providers: { xai: [entry] } })
  return modelWith(folder, {})
}

async function tokenModel(): Promise<ProviderModel> {
  const folder = mkdtempSync(path.join(home, 'token-'))
  const tokens = { access: 'a-token-of-an-account', refresh: 'its-refresh-token' }
  const now = Date.now()
  const entry = { id: 'abcdefg2', origin, tokens, renewedAt: now, expiresAt: now + 3_600_000 }
  writePrivate(folder, 'accounts.json', { v: 1, providers: { xai: entry } })
  return modelWith(folder, {})
}

function writePrivate(folder: string, name: string, content: object): void {
  writeFileSync(path.join(folder, name), JSON.stringify(content), { mode: 0o600 })
}

/** As the server composes it, with files of this folder. */
async function modelWith(folder: string, env: Record<string, string>): Promise<ProviderModel> {
  const storage = fileAccountStorage({ home: folder })
  const accounts = createAccountSource({ storage, renew: () => Promise.reject(new Error('no renewal is due')) })
  const authStorage = { ...fileAuthStorage({ home: folder }), accounts }
  const options = { name: 'xai/grok-4.7', env, authStorage, memory: createKeyMemory(), fetch }
  const model$ = resolveModel({ ...options, models: { providers: {} } })
  const model = await lastValueFrom(model$, { defaultValue: undefined })
  if (model === undefined) throw new Error('no model was found')
  return model
}

async function cpuOf({ model, provider }: ProviderModel, count: number): Promise<number> {
  const messages = [{ role: 'user', content: 'Hello', timestamp: 0 } as const]
  const answer$ = provider({ model, system: '', messages, tools: [], thinkingLevel: 'off' })
  globalThis.gc?.()
  const before = process.cpuUsage()
  for (let index = 0; index < count; index++) {
    const last = await lastValueFrom(answer$, { defaultValue: undefined })
    if (last?.type !== 'done') throw new Error('a request got no answer')
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}
