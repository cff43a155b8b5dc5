// Runs one prompt in rxpi and in other agents on one mock model, and writes docs/beside-agents.md.
// The others are installed into a temporary folder. Run on a quiet machine: `npx node scripts/rivals/agents/compare-agents.ts`
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { mockAnswer } from '../../../bench/mock-answer.ts'
import { formatText } from '../../shared/format-text.ts'
import type { MockRequest } from './mock-wires.ts'
import { agents } from './rival-agents.ts'
import type { Agent } from './rival-agents.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const rounds = 9
const prompt = 'Say something.'

interface Figures {
  readonly agent: Agent
  readonly installedMb: number
  readonly wallMs: number
  /** Of all processes of the command. */
  readonly cpuMs: number
  /** Of the largest process. */
  readonly peakMiB: number
  /** Of the bodies of all requests of one prompt, in bytes. */
  readonly requestBytes: number
  readonly requests: number
}

interface Run {
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakMiB: number
}

const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-agents-'))
const model = spawn(process.execPath, [path.join(import.meta.dirname, 'mock-wires.ts')], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
try {
  const [line] = (await once(model.stdout, 'data')) as [Buffer]
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
  const figures = await measureAll(agents(version), line.toString().trim())
  writeFileSync(path.join(root, 'docs/beside-agents.md'), await page(figures))
} finally {
  model.stdin.end()
  rmSync(folder, { recursive: true })
}

/** The agents run one after the other in each round, so that a slow phase affects all. */
async function measureAll(all: readonly Agent[], baseUrl: string): Promise<Figures[]> {
  const prepared = all.map((agent) => prepare(agent, baseUrl))
  const requests: MockRequest[][] = []
  for (const each of prepared) {
    runOnce(each) // fills the caches of the agent and of the disk
    await takeRequests(baseUrl)
    runOnce(each)
    requests.push(await takeRequests(baseUrl))
  }
  const runs = prepared.map((): Run[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, each] of prepared.entries()) runs[index]?.push(runOnce(each))
  }
  return prepared.map(({ agent, installedMb }, index) => ({
    ...{ agent, installedMb },
    ...{ wallMs: median(runs[index], 'wallMs'), cpuMs: median(runs[index], 'cpuMs') },
    peakMiB: median(runs[index], 'peakMiB'),
    requestBytes: (requests[index] ?? []).reduce((sum, { bytes }) => sum + bytes, 0),
    requests: requests[index]?.length ?? 0,
  }))
}

interface Prepared {
  readonly agent: Agent
  readonly installedMb: number
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

function prepare(agent: Agent, baseUrl: string): Prepared {
  const own = path.join(folder, agent.name.replaceAll(' ', '-'))
  const [home, cwd, modules] = ['home', 'project', 'install'].map((name) => path.join(own, name)) as [
    string,
    string,
    string,
  ]
  for (const each of [home, cwd, modules]) mkdirSync(each, { recursive: true })
  writeFileSync(path.join(cwd, 'README.md'), '# A project\n')
  writeFileSync(path.join(modules, 'package.json'), '{ "private": true }\n')
  const { args, env } = agent.prepare({ home, baseUrl, prompt })
  install(agent.package ?? packedClone(own), modules)
  if (agent.script !== undefined)
    execFileSync('node', [path.join('node_modules', agent.script)], { cwd: modules, stdio: 'ignore' })
  const program = path.join(modules, 'node_modules/.bin', agent.command)
  const installedMb =
    Number(execFileSync('du', ['-sb', 'node_modules'], { cwd: modules, encoding: 'utf8' }).split('\t')[0]) / 1e6
  const PATH = [path.dirname(process.execPath), process.env['PATH']].join(':')
  return { ...{ agent, installedMb, program, args, cwd }, env: { PATH, HOME: home, ...env } }
}

function packedClone(own: string): string {
  const output = execFileSync('npm', ['pack', '--pack-destination', own, '--json', '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  const [packed] = JSON.parse(output.slice(output.indexOf('['))) as [{ readonly filename: string }]
  return path.join(own, packed.filename)
}

/** Without install scripts of dependencies. */
function install(name: string, cwd: string): void {
  const flags = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...flags, name], { cwd, stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 })
}

/** @throws if the command does not print the whole answer */
function runOnce({ agent, program, args, env, cwd }: Prepared): Run {
  const [report, started] = [path.join(cwd, '../time'), performance.now()]
  const line = ['-o', report, '-f', '%U %S %M', program, ...args]
  const ended = spawnSync('/usr/bin/time', line, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  })
  const wallMs = performance.now() - started
  const flat = (text: string): string => text.replaceAll(/\s+/g, ' ')
  if (!flat(ended.stdout).includes(flat(mockAnswer.join('')).trim()))
    throw new Error(
      `${agent.name} did not print the answer (${ended.status ?? 'no exit'}):\n${ended.stdout}${ended.stderr}`,
    )
  const [user = 0, system = 0, peak = 0] =
    readFileSync(report, 'utf8').trim().split('\n').at(-1)?.split(' ').map(Number) ?? []
  return { wallMs, cpuMs: (user + system) * 1_000, peakMiB: peak / 1_024 }
}

async function takeRequests(baseUrl: string): Promise<MockRequest[]> {
  // a kept connection would be closed by the server while an agent runs: that blocks this process
  const response = await fetch(`${baseUrl}/requests`, { headers: { connection: 'close' } })
  return (await response.json()) as MockRequest[]
}

function median(runs: readonly Run[] = [], field: keyof Run): number {
  return runs.map((run) => run[field]).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)] ?? Number.NaN
}

function page(figures: readonly Figures[]): Promise<string> {
  const rows = figures.map(({ agent, installedMb, wallMs, cpuMs, peakMiB, requestBytes, requests }) => [
    ...[agent.name, agent.wire, installedMb.toFixed(0), wallMs.toFixed(0), cpuMs.toFixed(0), peakMiB.toFixed(0)],
    ...[(requestBytes / 1_000).toFixed(1), String(requests)],
  ])
  const heads = ['agent', 'wire', 'installed, MB', 'wall, ms', 'CPU, ms', 'memory, MiB', 'sent, kB', 'requests']
  const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const [processor] = cpus()
  return formatText(
    'docs/beside-agents.md',
    [
      '# Beside other agents',
      '',
      'One prompt from the command line, an answer of 50 deltas, no tool. Each agent talks to the same mock model on this machine, in the wire that it',
      'speaks, with its default system prompt and tools. `npx node scripts/rivals/agents/compare-agents.ts` installed them from npm,',
      `checked that each printed the whole answer, and wrote this page: medians of ${rounds} rounds, in which the agents took turns.`,
      '',
      lineOf(heads),
      lineOf(heads.map(() => '---')),
      ...rows.map(lineOf),
      '',
      '- *installed* is the folder `node_modules` after `npm install` of the agent alone, for this platform; that of rxpi has rxjs, its peer.',
      '- *CPU* is that of all its processes, *memory* the peak of the largest one.',
      '- *sent* are the bodies of all requests of one prompt, after a first one that filled caches. Some agents also ask for a title.',
      `- Machine: ${processor?.model.trim() ?? process.arch}, ${cpus().length} cores, ${process.platform}; rxpi and pi on Node ${process.versions.node}, the others bring a binary.`,
      '- Nothing else was run: what these agents can do beyond an answer, and how well, this page does not say. [performance.md](performance.md) has more',
      '  figures beside pi.',
      '',
    ].join('\n'),
  )
}
