// The whole start of a session with three MCP servers beside one without: process, session, ready for its first prompt.
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { killGroup } from './kill-group.ts'
import { lineAgent } from './line-agent.ts'
import type { Workspace } from './report.ts'
import { median } from './statistics.ts'

const pairs = 15

/** Milliseconds from the start of `rxpi rpc` to the answer of `new_session`. */
export interface McpStart {
  readonly withServers: number
  readonly without: number
  /** The median of the differences of the pairs. */
  readonly difference: number
}

/** @param program a server in TypeScript */
export async function measureStarts(workspace: Workspace, program: string): Promise<McpStart> {
  const entry = { command: process.execPath, args: [program] }
  const servers = { one: entry, two: entry, three: entry }
  const [withServers, without] = [
    prepare(workspace, 'with', { mcpServers: servers }),
    prepare(workspace, 'without', {}),
  ]
  for (const each of [withServers, without]) await start(workspace, each) // fills compile caches
  await start(workspace, withServers, 1_500) // the servers' lists are remembered
  const figures: [number, number][] = []
  for (let pair = 0; pair < pairs; pair += 1) {
    const order = pair % 2 === 0 ? [withServers, without] : [without, withServers]
    const times = new Map<Surroundings, number>()
    for (const each of order) times.set(each, await start(workspace, each))
    figures.push([times.get(withServers) ?? NaN, times.get(without) ?? NaN])
  }
  return {
    withServers: median(figures.map(([first]) => first)),
    without: median(figures.map(([, second]) => second)),
    difference: median(figures.map(([first, second]) => first - second)),
  }
}

interface Surroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

function prepare({ folder }: Workspace, name: string, settings: object): Surroundings {
  const own = (part: string): string => path.join(folder, `start-${name}`, part)
  for (const part of ['project', 'home', 'config/rxpi']) mkdirSync(own(part), { recursive: true })
  writeFileSync(own('config/rxpi/settings.json'), JSON.stringify(settings), { mode: 0o600 })
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: own('home'),
    RXPI_HOME: own('home/.rxpi'),
    XDG_CONFIG_HOME: own('config'),
    RXPI_LOCAL_MODELS_MS: '0',
  }
  return { cwd: own('project'), env }
}

/** @param stayMs how long the session stays open afterwards */
async function start(workspace: Workspace, { cwd, env }: Surroundings, stayMs = 0): Promise<number> {
  const begun = performance.now()
  const child = workspace.spawn(path.join(workspace.root, 'bin/rxpi'), ['rpc'], {
    cwd,
    env: { ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  if (child.stdin === null || child.stdout === null) throw new Error('rxpi rpc has no streams')
  const agent = lineAgent({ input: child.stdin, output: child.stdout }, noRuns)
  await agent.ask({ type: 'new_session', cwd, env, model: 'demo/guide' })
  const ms = performance.now() - begun
  await new Promise((resolve) => setTimeout(resolve, stayMs))
  const ended = once(child, 'exit')
  child.stdin.end()
  await ended
  killGroup(child)
  return ms
}

const noRuns = { prompt: () => ({}), state: {}, isDelta: () => false, isEnd: () => false, isOutput: () => false }
