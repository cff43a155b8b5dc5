// The cost of extensions: loading them, observing events, judging calls, and running one that is written for pi.
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runBundled } from './bundled-program.ts'
import { compareFigures } from './compare-figures.ts'
import type { ExtensionCosts } from './extensions-program.ts'
import { installPi } from './pi-install.ts'
import type { Benchmark, Report, Table, Target, Workspace } from './report.ts'
import { runCommand } from './run-command.ts'
import type { Command } from './run-command.ts'
import { median, medianRatio } from './statistics.ts'
import type { ExampleSamples } from './versus-pi-extension-program.ts'

const rounds = 9
const loadCounts = [0, 1, 10]

export const extensions: Benchmark = {
  name: 'extensions',
  about: 'sessions with extensions that observe each event or judge each call; and starts of `rxpi -p` that load some',
  run: async (workspace) => {
    const [costs = []] = await runBundled<ExtensionCosts[]>(workspace, 'extensions-program', [[]])
    const loads = await loadTimes(workspace)
    return extensionsReport(costs, loads, await besidePi(workspace))
  },
}

/** Milliseconds of a run of `rxpi -p`, one figure a round. */
export interface LoadTimes {
  readonly count: number
  readonly wallMs: number[]
}

/** The samples, or why there are none. */
type BesidePi = ExampleSamples | { readonly missing: string }

async function besidePi(workspace: Workspace): Promise<BesidePi> {
  const pi = await installPi(workspace)
  if ('missing' in pi) return pi
  symlinkSync(path.join(workspace.root, 'node_modules'), path.join(workspace.folder, 'node_modules')) // of the loader
  const [samples] = await runBundled<ExampleSamples>(workspace, 'versus-pi-extension-program', [[pi.packages]])
  return samples ?? { missing: 'its program printed nothing' }
}

async function loadTimes(workspace: Workspace): Promise<LoadTimes[]> {
  const commands = []
  for (const count of loadCounts) commands.push({ count, command: await prepare(workspace, count) })
  const times = commands.map(({ count, command }) => ({ count, command, wallMs: new Array<number>() }))
  for (const { command } of times) await runCommand(workspace, command) // also fills compile caches
  for (let round = 0; round < rounds; round++)
    for (const { command, wallMs } of times) wallMs.push((await runCommand(workspace, command)).wallMs)
  return times.map(({ count, wallMs }) => ({ count, wallMs }))
}

/** A home with this many trusted extensions: copies of an example of ours. */
async function prepare(workspace: Workspace, count: number): Promise<Command> {
  const home = path.join(workspace.folder, `home-${count}`)
  const folder = path.join(home, '.config/rxpi/extensions')
  const cwd = path.join(home, 'project')
  for (const each of [folder, cwd]) mkdirSync(each, { recursive: true })
  const script = path.join(home, 'script.json')
  writeFileSync(script, JSON.stringify([{ text: 'Hello.' }]))
  const rxpi = path.join(workspace.root, 'bin/rxpi')
  const common = { cwd, env: { HOME: home } }
  for (let index = 0; index < count; index++) {
    const file = path.join(folder, `gate-${index}.ts`)
    cpSync(path.join(workspace.root, 'examples/extensions/permission-gate.ts'), file)
    const line = [rxpi, 'extensions', 'trust', `gate-${index}`] as const
    await runCommand(workspace, { ...common, name: `trust gate-${index}`, line, expected: 'trusted' })
  }
  const line = [rxpi, '--model', `scripted/${script}`, '-p', 'Hi'] as const
  return { ...common, name: `rxpi -p with ${count} extensions`, line, expected: 'Hello.' }
}

export function extensionsReport(
  costs: readonly ExtensionCosts[],
  loads: readonly LoadTimes[],
  example: BesidePi,
): Report {
  const isMissing = 'missing' in example
  return {
    tables: [costTable(costs), loadTable(loads), ...(isMissing ? [] : [exampleTable(example)])],
    targets: [...observerTargets(costs), ...(isMissing ? [] : [exampleTarget(example)])],
    notes: [
      'an observer subscribes to `events.event$`, a hook is `tool_call` and answers at once; one of them for each extension',
      'load time: whole runs of `rxpi -p`; the first extension also loads the compiler of TypeScript and the library',
      ...(isMissing ? [`The comparison with pi is left out: ${example.missing}`] : []),
    ],
  }
}

function costTable(costs: readonly ExtensionCosts[]): Table {
  const [none] = costs
  return {
    title: 'observers of events, and hooks on calls (medians; all in turns)',
    columns: [
      { title: 'extensions' },
      { title: 'µs a delta', digits: 2 },
      { title: '÷ none', digits: 2 },
      { title: 'µs a turn with a call', digits: 1 },
      { title: '÷ none', digits: 2 },
    ],
    rows: costs.map(({ count, events, calls }) => [
      count,
      median(events),
      medianRatio(events, none?.events ?? []),
      median(calls),
      medianRatio(calls, none?.calls ?? []),
    ]),
  }
}

function loadTable(loads: readonly LoadTimes[]): Table {
  const [none] = loads
  return {
    title: 'a run of `rxpi -p` (medians)',
    columns: [{ title: 'extensions' }, { title: 'wall ms', digits: 1 }, { title: 'ms an extension', digits: 1 }],
    rows: loads.map(({ count, wallMs }) => [
      count,
      median(wallMs),
      count === 0 || none === undefined ? undefined : (median(wallMs) - median(none.wallMs)) / count,
    ]),
  }
}

function exampleTable({ turns, ours, pi }: ExampleSamples): Table {
  return {
    title: `pi’s example hello.ts: a run of ${turns} turns with a call of its tool (medians)`,
    columns: [{ title: '' }, { title: 'µs a turn', digits: 1 }],
    rows: [
      ['rxpi', median(ours)],
      ['pi', median(pi)],
    ],
  }
}

function observerTargets(costs: readonly ExtensionCosts[]): Target[] {
  const [none, ten] = costs
  if (none === undefined || ten === undefined) return []
  const what = 'a delta with 10 observers ÷ without'
  return [{ what, measured: medianRatio(ten.events, none.events), limit: 1 / 0.85, unit: '×' }]
}

function exampleTarget({ ours, pi }: ExampleSamples): Target {
  return compareFigures({ what: 'hello.ts of pi, a turn ÷ pi', unit: ' µs', ours, pi, to: 'pi', limit: 1.2 })
}
