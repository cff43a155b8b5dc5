// Installs a published package, opens a session with it, and uses its tools and commands.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Workspace } from '../../../bench/report.ts'
import { describeThrown } from '../../../lib/streams/values/failure.ts'
import type { ModelTurn } from '../contract/situation.ts'
import { rpcClient } from './rpc-client.ts'
import type { Frame, RpcClient } from './rpc-client.ts'
import { sampleArguments } from './sample-arguments.ts'
import type { PackageRecord, StepRecord } from './package-record.ts'
import { scriptedModel } from './scripted-model.ts'
import type { ScriptedModel } from './scripted-model.ts'
import { EffectWatch } from './watch-effects.ts'

const stepLimitMs = 20_000
/** An idle session may go on by itself a moment later. */
const quietMs = 600

export interface PublishedPackage {
  readonly name: string
  readonly version: string
  /** Commands that are not played, and why. */
  readonly leave?: Readonly<Record<string, string>>
}

export async function tryPackage(workspace: Workspace, published: PublishedPackage): Promise<PackageRecord> {
  const { name, version } = published
  const folder = path.join(workspace.folder, name.replaceAll('/', '+'))
  const home = path.join(folder, 'home')
  const cwd = path.join(folder, 'work')
  const model = await scriptedModel()
  const env = environment(home)
  prepare(home, cwd, model.baseUrl)
  const record = { package: name, version, unloaded: [] as string[], opening: [] as readonly string[], steps: [] as StepRecord[], ending: '' } // prettier-ignore
  const watch: EffectWatch = new EffectWatch(
    (type, fields) => client?.request(type, fields) ?? Promise.reject(new Error('no client')),
  )
  let client: RpcClient | undefined
  try {
    await install(workspace, `npm:${name}@${version}`, { cwd, env })
    client = rpcClient(workspace, { cwd, env: { ...env, NODE_OPTIONS: `--import ${noNetwork}` } }, (event) => watch.onEvent(event)) // prettier-ignore
    const session = await open(client, { cwd, env, watch, unloaded: record.unloaded })
    record.opening = watch.take()
    const play = new Play(client, session, model, watch)
    const opener = client
    watch.onOpen = () => {
      openSession(opener, { cwd, env, watch }).then(play.follow, (error: unknown) =>
        watch.note('failed', describeThrown(error)),
      )
    }
    record.steps.push(await play.step('prompt', 'hello', ['Hello.']))
    for (const tool of await play.toolSteps()) record.steps.push(await play.step(...tool))
    for (const command of await play.commandSteps(published.leave)) record.steps.push(await play.step(...command))
  } catch (error) {
    Object.assign(record, { failed: describeThrown(error).slice(0, 600) })
  }
  const end = await client?.end()
  model.close()
  return { ...record, ending: end === undefined || end.code === 0 ? '0' : `${end.code}: ${end.stderr.slice(-800)}` }
}

const noNetwork = path.resolve(import.meta.dirname, '../no-network.mjs')

/** npm reads the settings and trusts the certificates of the person who runs this script. */
function environment(home: string): NodeJS.ProcessEnv {
  const user = process.env['HOME'] ?? ''
  return {
    PATH: process.env['PATH'],
    HOME: home,
    TMPDIR: home,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    NPM_CONFIG_USERCONFIG: process.env['NPM_CONFIG_USERCONFIG'] ?? path.join(user, '.npmrc'),
    NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'],
    npm_config_prefer_offline: 'true',
    npm_config_cache: process.env['npm_config_cache'] ?? path.join(user, '.npm'),
  }
}

function prepare(home: string, cwd: string, baseUrl: string): void {
  const config = path.join(home, '.config/rxpi')
  mkdirSync(config, { recursive: true })
  mkdirSync(cwd, { recursive: true })
  const models = [{ id: 'mock-model', contextWindow: 200_000, maxTokens: 8_192 }]
  const mock = { baseUrl, api: 'openai-completions', apiKey: 'none', models }
  writeFileSync(path.join(config, 'models.json'), JSON.stringify({ providers: { mock } }))
  writeFileSync(path.join(cwd, 'notes.txt'), 'one\ntwo\nthree\n')
}

async function install(
  workspace: Workspace,
  source: string,
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<void> {
  // prettier-ignore
  const program = path.join(workspace.root, 'bin/start.js')
  await promisify(execFile)(process.execPath, [program, 'install', source], { ...options, timeout: 180_000 })
}

interface Opening {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly watch: EffectWatch
  readonly unloaded: string[]
}

async function open(client: RpcClient, { cwd, env, watch, unloaded }: Opening): Promise<string> {
  const plain = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
  await client.request('hello', { client: 'packages', ui: true, questions: true })
  const listed = await client.request('extension_list', { cwd, env: plain }, 60_000)
  for (const { path: file, message } of listed['problems'] as readonly { path: string; message: string }[])
    unloaded.push(`${path.basename(file)}: ${message}`)
  for (const { id, digest } of listed['extensions'] as readonly { id: string; digest: string }[])
    await client.request('extension_trust', { cwd, env: plain, extension: id, digest, answer: 'trust' })
  const session = await openSession(client, { cwd, env: plain, watch })
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const shown = await client.request('get_extension_ui', { session })
  for (const { level, text } of shown['notices'] as readonly { level: string; text: string }[]) watch.note(`notice ${level}`, text) // prettier-ignore
  for (const { key, text } of shown['statuses'] as readonly { key: string; text: string }[]) watch.note(`status ${key}`, text) // prettier-ignore
  return session
}

/** As a client with a screen, which opens the next one when an extension asks for it. */
async function openSession(client: RpcClient, { cwd, env, watch }: Omit<Opening, 'unloaded'>): Promise<string> {
  const opened = await client.request('new_session', { cwd, env, model: 'mock/mock-model', approve: 'auto', trust: true }, 90_000) // prettier-ignore
  const session = String(opened['session'])
  watch.start(session)
  await client.request('attach', { session, after: 0 })
  await client.request('surface_resize', { session, columns: 100, rows: 30 })
  return session
}

type PlayStep = [name: string, text: string, turns: readonly ModelTurn[]]

class Play {
  readonly #client: RpcClient
  #session: string
  readonly #model: ScriptedModel
  readonly #watch: EffectWatch

  constructor(client: RpcClient, session: string, model: ScriptedModel, watch: EffectWatch) {
    this.#client = client
    this.#session = session
    this.#model = model
    this.#watch = watch
  }

  readonly follow = (session: string): void => {
    this.#session = session
  }

  async toolSteps(): Promise<PlayStep[]> {
    const { tools } = (await this.#client.request('list_tools', { session: this.#session })) as {
      tools: readonly { name: string; extension?: string }[]
    }
    const own = new Set(tools.map(({ name }) => name).filter((name) => !builtin.has(name)))
    return this.#model
      .tools()
      .filter(({ name }) => own.has(name))
      .map(({ name, parameters }) => {
        const call = { name, arguments: sampleArguments(parameters) as Record<string, unknown> }
        return [`tool ${name}`, `use ${name}`, [{ calls: [call] }, 'Done.']]
      })
  }

  async commandSteps(leave: Readonly<Record<string, string>> = {}): Promise<PlayStep[]> {
    const { commands } = (await this.#client.request('list_commands', { session: this.#session })) as {
      commands: readonly { name: string; extension?: string; package?: string }[]
    }
    return commands
      .filter(({ name, extension }) => extension !== undefined && leave[name] === undefined)
      .map(({ name }) => [`command /${name}`, `/${name}`, []])
  }

  async step(...[name, text, turns]: PlayStep): Promise<StepRecord> {
    const before = this.#model.requests()
    this.#model.script(turns)
    let failed: string | undefined
    try {
      const runs = this.#watch.settled
      const answer = await this.#client.request('prompt', { session: this.#session, text }, stepLimitMs)
      if (typeof answer['text'] === 'string') this.#watch.note('answer', answer['text'])
      await this.#settle(runs, answer['status'] === 'started')
    } catch (error) {
      failed = describeThrown(error)
      await this.#client.request('abort', { session: this.#session }).catch(() => undefined)
    }
    const requests = this.#model.requests() - before
    if (requests > 0) this.#watch.note('requests', String(requests))
    return { step: name, effects: this.#watch.take(), ...(failed !== undefined && { failed }) }
  }

  async #settle(runs: number, isRun: boolean): Promise<void> {
    const end = Date.now() + stepLimitMs
    const isOver = (): boolean => !isRun || this.#watch.settled > runs
    while (!isOver()) {
      if (Date.now() > end) throw new Error(`no end of the run within ${stepLimitMs / 1000} s`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    for (let quiet = 0; quiet < quietMs; quiet += 100) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      const state: Frame = await this.#client.request('get_state', { session: this.#session })
      if ((state['state'] as Frame | undefined)?.['running'] !== undefined) quiet = 0
      if (Date.now() > end) throw new Error(`still running after ${stepLimitMs / 1000} s`)
    }
  }
}

const builtin = new Set(['read', 'write', 'edit', 'bash', 'grep', 'find', 'ls', 'use_tool', 'find_tools', 'todo', 'web_fetch', 'ask', 'job_output', 'job_kill', 'update_plan']) // prettier-ignore
