// Compares two builds of rxpi, run in turns: start-up, first message of a process, warm prompts.
//
// `node bench/build-pairs.ts WITH WITHOUT [--rounds N] [--rows start,ready,ui,library,warm]`: each folder is a built
// clone. Prints the medians of both and the median of the ratios WITHOUT ÷ WITH, pair by pair: above 1, the trick that
// WITHOUT lacks pays.
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ourRpc, surroundings } from './agents.ts'
import type { RunningAgent, Surroundings } from './agents.ts'
import { commandCosts } from './command-cost.ts'
import { runProcess } from './run-process.ts'
import { killGroup } from './kill-group.ts'
import { startMockModel } from './mock-model.ts'
import type { Workspace } from './report.ts'
import { runCommand } from './run-command.ts'
import { rpcStart, socketStart } from './server-start.ts'
import { ourCommands, prepare } from './start.ts'
import { median, medianRatio } from './statistics.ts'
import { gapOf } from './turn-gaps.ts'
import { ourUi } from './ui-agents.ts'
import { hasTmux, uiTerminal } from './ui-terminal.ts'
import type { ColdMessage } from './versus-pi-cold-program.ts'
import { withWorkspace } from './workspace.ts'

/** Figure → its values, one a round. */
type Series = Map<string, number[]>
/** One build: its clone, a workspace of its own, and its figures. */
interface Build {
  readonly workspace: Workspace
  readonly series: Series
}
type Pair = readonly [Build, Build]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '30' },
    rows: { type: 'string', default: 'start,ready,ui,library,warm' },
  },
})
const rounds = Number(values.rounds)
const measures: Readonly<Record<string, (pair: Pair) => Promise<void>>> = {
  start: measureStart,
  ready: measureReady,
  ui: measureUi,
  library: measureLibrary,
  warm: measureWarm,
}
const [one, other] = positionals
if (one === undefined || other === undefined) {
  console.error('usage: node bench/build-pairs.ts WITH WITHOUT [--rounds N] [--rows start,ready,ui,library,warm]')
  process.exitCode = 2
} else await withWorkspace(path.dirname(import.meta.dirname), (workspace) => compare(workspace, [one, other]))

async function compare(workspace: Workspace, roots: readonly [string, string]): Promise<void> {
  const [a, b] = roots.map((root, index): Build => {
    const folder = path.join(workspace.folder, String(index))
    mkdirSync(folder)
    return { workspace: { ...workspace, root: path.resolve(root), folder }, series: new Map() }
  }) as [Build, Build]
  for (const row of values.rows.split(',')) {
    await measures[row]?.([a, b])
    for (const [what, without] of b.series) {
      const withIt = a.series.get(what) ?? []
      const figures = [median(withIt).toFixed(1), median(without).toFixed(1), medianRatio(without, withIt).toFixed(3)]
      console.log(`${what.padEnd(36)}${figures.map((figure) => figure.padStart(10)).join('')}`)
      b.series.delete(what)
    }
  }
}

function add({ series }: Build, what: string, value: number): void {
  const known = series.get(what)
  if (known === undefined) series.set(what, [value])
  else known.push(value)
}

/** Runs both builds once a round, alternating which comes first. */
async function inTurns(pair: Pair, measure: (build: Build, index: 0 | 1) => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)
    for (const index of order) await measure(pair[index], index)
  }
}

/** `--version`, and a prompt to the mock model: wall time, CPU time and peak memory. */
async function measureStart(pair: Pair): Promise<void> {
  const model = await startMockModel(pair[0].workspace)
  const commands = pair.map((build) => {
    const { version, mock } = ourCommands(prepare(build.workspace, model))
    return [version, mock]
  })
  for (const command of commands.flat()) await runCommand(pair[0].workspace, command) // fills the compile caches
  await inTurns(pair, async (build, index) => {
    for (const cost of await commandCosts(build.workspace, { commands: commands[index] ?? [], rounds: 1 })) {
      for (const wall of cost.wallMs) add(build, `${cost.name}, wall ms`, wall)
      for (const cpu of cost.cpuMs) add(build, `${cost.name}, CPU ms`, cpu)
      for (const peak of cost.peakMiB) add(build, `${cost.name}, peak MiB`, peak)
    }
  })
  model.end()
}

/** `serve` and `rpc` until their first line. */
async function measureReady(pair: Pair): Promise<void> {
  for (const starter of [socketStart, rpcStart]) {
    const starts = pair.map(({ workspace }) => starter(workspace))
    for (const start of starts) killGroup((await start.begin()).child)
    await inTurns(pair, async (build, index) => {
      const start = starts[index]
      if (start === undefined) return
      const begun = performance.now()
      const { child } = await start.begin()
      add(build, `${start.name}, ready ms`, performance.now() - begun)
      addUsage(build, start.name, child.pid)
      await killed(child)
    })
  }
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  killGroup(child)
  await ended
}

function addUsage(build: Build, name: string, pid = 0): void {
  const tasks = `/proc/${pid}/task`
  const nanoseconds = readdirSync(tasks).map((task) => parseInt(readFileSync(`${tasks}/${task}/schedstat`, 'utf8')))
  add(build, `${name}, CPU ms`, nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6)
  const resident = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  add(build, `${name}, MiB`, Number(resident) / 1_024)
}

/** The terminal UI until it accepts input, with a running server; half a second later it is at rest. */
async function measureUi(pair: Pair): Promise<void> {
  if (!hasTmux) throw new Error('tmux is missing')
  let terminals = 0
  const around = await Promise.all(pair.map(({ workspace }) => surroundings(workspace)))
  await inTurns(pair, async (build, index) => {
    const surrounding = around[index]
    if (surrounding === undefined) return
    const { program, ready } = ourUi(surrounding)
    const terminal = await uiTerminal(build.workspace, `ui${(terminals += 1)}`, program)
    await terminal.shows(ready)
    await delay(500)
    addUsage(build, 'terminal UI', terminal.pid)
    terminal.end()
  })
}

/** The first message of a process, with the library: import, set-up and 1,000 deltas. */
async function measureLibrary(pair: Pair): Promise<void> {
  const program = path.join(import.meta.dirname, 'versus-pi-cold-program.ts')
  await inTurns(pair, async (build) => {
    const { root, spawn } = build.workspace
    const line = [program, 'ours', path.join(root, 'dist/lib')]
    const start = () => spawn(process.execPath, line, { stdio: ['ignore', 'pipe', 'pipe'] })
    const { stdout } = await runProcess(start, { name: 'first message', limitMs: 60_000 })
    const { deltas, time, ready } = JSON.parse(stdout) as ColdMessage
    add(build, 'library, first message, ms', (time * deltas) / 1_000)
    add(build, 'library, import to its end, ms', ready)
  })
}

/**
 * 200 prompts each, then 20 runs of ten turns: time to first delta, CPU and memory of a prompt, and the gap between
 * turns.
 */
async function measureWarm(pair: Pair): Promise<void> {
  const agents: [RunningAgent, Surroundings][] = []
  for (const { workspace } of pair) {
    const around = await surroundings(workspace)
    agents.push([(await ourRpc(around)).running, around])
  }
  await delay(1_500) // the work of a server after its start is over
  for (let count = 0; count < 220; count++) {
    const what = count < 100 ? 'prompts 1 to 100' : count < 200 ? 'prompts 101 to 200' : 'runs of 10 turns'
    for (const index of count % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const [running, around] = agents[index] ?? []
      if (running === undefined || around === undefined) continue
      const before = running.usage().cpuMs
      if (count < 200) add(pair[index], `${what}, first delta ms`, (await running.agent.run({ deltas: 20 })).firstMs)
      else add(pair[index], `${what}, gap ms`, await gapOf(around, running))
      await delay(20)
      const { cpuMs, rss } = running.usage()
      add(pair[index], `${what}, CPU ms`, cpuMs - before)
      add(pair[index], `${what}, MiB`, rss / 2 ** 20)
    }
  }
}
