// The compared agents on one model: our server with its socket, our rpc, and pi's rpc.
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { lineAgent } from './line-agent.ts'
import { webSocketAgent } from './web-socket-agent.ts'
import type { Dialect, LineAgent } from './line-agent.ts'
import type { Workspace } from './report.ts'

export interface RunningAgent {
  readonly agent: LineAgent
  /** CPU time of its process so far, in ms, and its memory in bytes. */
  usage(): { readonly cpuMs: number; readonly rss: number }
}

export interface RunningServer extends Omit<RunningAgent, 'agent'> {
  readonly socket: string
  /** A connection that is attached to the session, or to a new one. */
  client(session?: string): Promise<{ readonly agent: LineAgent; readonly session: string }>
  /** The same over the gateway; the server has a token. */
  webSocketClient(session?: string): Promise<{ readonly agent: LineAgent; readonly session: string }>
  /** An idle connection. */
  idle(): Promise<void>
}

export interface Surroundings {
  readonly workspace: Workspace
  readonly baseUrl: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export async function surroundings(workspace: Workspace): Promise<Surroundings> {
  const [cwd, home] = [path.join(workspace.folder, 'project'), path.join(workspace.folder, 'home')]
  for (const each of [cwd, home]) mkdirSync(each, { recursive: true })
  writeFileSync(path.join(cwd, 'read.txt'), 'A line of a file that is read.\n'.repeat(20))
  const program = path.join(workspace.root, 'bench/prompted-model-program.ts')
  const model = workspace.spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  if (model.stdout === null) throw new Error('The model has no output')
  const [line] = (await once(model.stdout, 'data')) as [Buffer]
  const baseUrl = `${line.toString().trim()}/v1`
  return {
    workspace,
    baseUrl,
    cwd,
    env: { PATH: process.env.PATH, HOME: home, OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: 'bench' },
  }
}

const setup = { model: 'openai/mock', thinkingLevel: 'off' } as const

/** With the command that requests its state. */
export async function ourRpc(
  around: Surroundings,
): Promise<{ readonly running: RunningAgent; readonly state: object }> {
  const { workspace, cwd, env } = around
  const child = workspace.spawn(path.join(workspace.root, 'bin/rxpi'), ['rpc'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (child.stdin === null || child.stdout === null) throw new Error('rxpi rpc has no streams')
  const dialect = ourDialect()
  const agent = lineAgent({ input: child.stdin, output: child.stdout }, dialect)
  await opened(agent, dialect, around)
  return { running: { agent, usage: usageOf(child.pid) }, state: dialect.state }
}

/** With a token, the server has a gateway too. */
export async function ourServer(around: Surroundings, token?: string): Promise<RunningServer> {
  const { workspace, cwd, env } = around
  const socketPath = path.join(workspace.folder, 'run/rxpi.sock')
  const child = workspace.spawn(
    path.join(workspace.root, 'bin/rxpi'),
    ['serve', '--socket', socketPath, ...(token === undefined ? [] : ['--http', '0'])],
    {
      cwd,
      env: { ...env, ...(token === undefined ? {} : { RXPI_HTTP_TOKEN: token }) },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  while (!existsSync(socketPath)) await delay(5)
  return {
    socket: socketPath,
    usage: usageOf(child.pid),
    idle: async () => {
      await once(connect(socketPath), 'data')
    },
    client: async (session) => {
      const socket = connect(socketPath)
      await once(socket, 'connect')
      const dialect = ourDialect()
      const agent = lineAgent(socket, dialect)
      return { agent, session: await opened(agent, dialect, around, session) }
    },
    webSocketClient: async (session) => {
      const socket = connect(socketPath)
      const { result } = await lineAgent(socket, ourDialect()).ask({ type: 'server_status' })
      socket.destroy()
      const { http = '' } = result as { readonly http?: string }
      const dialect = ourDialect()
      const agent = await webSocketAgent(http, token ?? '', dialect)
      return { agent, session: await opened(agent, dialect, around, session) }
    },
  }
}

export async function piRpc({ workspace, baseUrl, cwd, env }: Surroundings, program: string): Promise<RunningAgent> {
  const folder = path.join(workspace.folder, 'pi-agent')
  mkdirSync(folder, { recursive: true })
  const provider = { baseUrl, api: 'openai-completions', apiKey: 'bench', models: [{ id: 'mock' }] }
  writeFileSync(path.join(folder, 'models.json'), JSON.stringify({ providers: { mock: provider } }))
  const more = { PI_CODING_AGENT_DIR: folder, PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' }
  const args = [program, '--offline', '--mode', 'rpc', '--model', 'mock/mock']
  const child = workspace.spawn(process.execPath, args, {
    cwd,
    env: { ...env, ...more },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  if (child.stdin === null || child.stdout === null) throw new Error('pi has no streams')
  const agent = lineAgent({ input: child.stdin, output: child.stdout }, piDialect)
  await agent.ask(piDialect.state)
  return { agent, usage: usageOf(child.pid) }
}

/** The lower bound of an agent: a line in, a request, and its answer's lines. */
export function bareNode({ workspace, baseUrl, cwd, env }: Surroundings): RunningAgent {
  const program = path.join(workspace.root, 'bench/first-delta-program.ts')
  const child = workspace.spawn(process.execPath, [program, baseUrl], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
  if (child.stdin === null || child.stdout === null) throw new Error('The bare program has no streams')
  return { agent: lineAgent({ input: child.stdin, output: child.stdout }, bareDialect), usage: usageOf(child.pid) }
}

const bareDialect: Dialect = {
  prompt: (text) => ({ text }),
  state: {},
  isDelta: (line) => line.startsWith('{"type":"delta"'),
  isEnd: (line) => line.startsWith('{"type":"end"'),
  isOutput: () => false,
}

interface OurDialect extends Dialect {
  session: string
}

/** Resolves its session when it is known. */
function ourDialect(): OurDialect {
  const dialect: OurDialect = {
    session: '',
    prompt: (text) => ({ type: 'prompt', session: dialect.session, text }),
    get state() {
      return { type: 'get_state', session: dialect.session }
    },
    isDelta: (line) => line.startsWith('{"type":"delta"'),
    isEnd: (line) => line.includes('"event":{"type":"agent_settled"'),
    isOutput: (line) => line.includes('"event":{"type":"tool_execution_update"'),
  }
  return dialect
}

const piDialect: Dialect = {
  prompt: (message) => ({ type: 'prompt', message }),
  state: { type: 'get_state' },
  isDelta: (line) => line.startsWith('{"type":"message_update"') && line.includes('_delta"'),
  isEnd: (line) => line.startsWith('{"type":"agent_end"'),
  isOutput: (line) => line.startsWith('{"type":"tool_execution_update"'),
}

async function opened(
  agent: LineAgent,
  dialect: OurDialect,
  { cwd, env }: Surroundings,
  session?: string,
): Promise<string> {
  if (session === undefined) {
    const { result } = await agent.ask({ type: 'new_session', cwd, env, approve: 'auto', ...setup })
    dialect.session = (result as { session: string }).session
  } else dialect.session = session
  await agent.ask({ type: 'attach', session: dialect.session })
  return dialect.session
}

/** Of the kernel, which measures the time of its threads; a clock tick would be 10 ms. */
function usageOf(pid = 0): RunningAgent['usage'] {
  return () => {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) =>
      nanoseconds(`/proc/${pid}/task/${thread}/schedstat`),
    )
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return {
      cpuMs: threads.reduce((sum, each) => sum + each, 0) / 1e6,
      rss: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1_024,
    }
  }
}

/** Its first number. */
function nanoseconds(file: string): number {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'))
  } catch {
    return 0 // the thread has ended meanwhile
  }
}
