// Measures commands from start to end, in time and resources, beside bare Node and pi.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { commandCosts } from './command-cost.ts'
import type { CommandCost } from './command-cost.ts'
import { compareFigures } from './compare-figures.ts'
import { mockAnswer } from './mock-answer.ts'
import type { MockModel } from './mock-model.ts'
import { startMockModel } from './mock-model.ts'
import { installPi, piVersion } from './pi-install.ts'
import type { Benchmark, Table, Target, Workspace } from './report.ts'
import { runCommand } from './run-command.ts'
import type { Command } from './run-command.ts'
import { median, medianRatio } from './statistics.ts'

const rounds = 9
const prompt = 'What is in this folder?'
const answer = mockAnswer.join('').trim()

export const start: Benchmark = {
  name: 'start',
  about: `${rounds} starts of each command in turns, standard input closed, output in a pipe`,
  run: async (workspace) => {
    const model = await startMockModel(workspace)
    const pi = await installPi(workspace)
    const surroundings = prepare(workspace, model)
    const ours = ourCommands(surroundings)
    const piCommands = 'program' in pi ? commandsOfPi(surroundings, pi.program) : []
    const commands = [ours.bare, ours.version, ours.scripted, ours.mock, ...piCommands]
    const firstRequests: (number | undefined)[] = []
    for (const command of commands) {
      await runCommand(workspace, command) // also fills compile caches
      firstRequests.push((await model.requestSizes())[0])
    }
    const costs = await commandCosts(workspace, { commands, rounds })
    model.end()
    return {
      tables: [costTable(costs, firstRequests)],
      targets: startTargets(costs, firstRequests),
      notes: 'missing' in pi ? [`The comparison with pi is left out: ${pi.missing}`] : [],
    }
  },
}

/** The environment of the compared commands: a project and a home, both made for this run. */
export interface Surroundings {
  readonly workspace: Workspace
  readonly baseUrl: string
  readonly cwd: string
  readonly home: string
  /** The Node of bin/rxpi, so that all run on the same one. */
  readonly node: string
}

export function prepare(workspace: Workspace, { baseUrl }: MockModel): Surroundings {
  const cwd = path.join(workspace.folder, 'project')
  const home = path.join(workspace.folder, 'home')
  mkdirSync(cwd)
  mkdirSync(home)
  writeFileSync(path.join(cwd, 'README.md'), '# A project\n')
  return { workspace, baseUrl, cwd, home, node: nodeOfLauncher(workspace) }
}

export function ourCommands({ workspace, baseUrl, cwd, home, node }: Surroundings) {
  const rxpi = path.join(workspace.root, 'bin/rxpi')
  const script = path.join(workspace.folder, 'script.json')
  writeFileSync(script, JSON.stringify([{ text: mockAnswer }]))
  const common = { cwd, env: { HOME: home } }
  return {
    bare: { ...common, name: "node -e ''", line: [node, '-e', ''], expected: '' },
    version: { ...common, name: 'rxpi --version', line: [rxpi, '--version'], expected: '.' },
    scripted: {
      ...common,
      name: 'rxpi -p, scripted model',
      line: [rxpi, '--model', `scripted/${script}`, '-p', prompt],
      expected: answer,
    },
    mock: {
      ...common,
      name: 'rxpi -p, mock server',
      line: [rxpi, '--model', 'openai/mock', '-p', prompt],
      env: { ...common.env, OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: 'bench' },
      expected: answer,
    },
  } satisfies Record<string, Command>
}

function commandsOfPi({ baseUrl, cwd, home, node }: Surroundings, program: string): Command[] {
  const agent = path.join(home, 'pi-agent')
  mkdirSync(agent)
  const provider = { baseUrl, api: 'openai-completions', apiKey: 'bench', models: [{ id: 'mock' }] }
  writeFileSync(path.join(agent, 'models.json'), JSON.stringify({ providers: { mock: provider } }))
  const env = { HOME: home, PI_CODING_AGENT_DIR: agent, PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' }
  const promptArguments = ['--offline', '--model', 'mock/mock', '-p', prompt]
  return [
    { name: `pi ${piVersion} -p, mock server`, line: [node, program, ...promptArguments], cwd, env, expected: answer },
    { name: `pi ${piVersion} --version`, line: [node, program, '--version'], cwd, env, expected: '' },
  ]
}

function nodeOfLauncher({ root }: Workspace): string {
  const modules = path.join(root, 'node_modules')
  const brought = readdirSync(modules).find((name) => name.startsWith('node-linux-'))
  return brought === undefined ? process.execPath : path.join(modules, brought, 'bin/node')
}

function costTable(costs: readonly CommandCost[], firstRequests: readonly (number | undefined)[]): Table {
  const bare = costs[0]?.wallMs ?? []
  return {
    title: 'medians',
    columns: [
      { title: 'command' },
      { title: 'wall ms', digits: 1 },
      { title: '× bare', digits: 2 },
      { title: 'cpu ms', digits: 1 },
      { title: 'peak MiB', digits: 1 },
      { title: 'first request, bytes' },
    ],
    rows: costs.map(({ name, wallMs, cpuMs, peakMiB }, index) => [
      name,
      median(wallMs),
      medianRatio(wallMs, bare),
      median(cpuMs),
      median(peakMiB),
      firstRequests[index],
    ]),
  }
}

/** Of costs and first requests in the order of the commands. */
function startTargets(costs: readonly CommandCost[], firstRequests: readonly (number | undefined)[]): Target[] {
  const [bare, version, , mock, pi, piVersionCost] = costs
  const costTarget = (what: string, unit: string, figure: 'wallMs' | 'cpuMs' | 'peakMiB', limit: number): Target =>
    compareFigures({ what, unit, ours: mock?.[figure], pi: pi?.[figure], floor: bare?.[figure], to: 'pi', limit })
  const [, , , ourRequest, piRequest] = firstRequests
  return [
    compareFigures({
      what: '--version ÷ bare Node, wall',
      unit: ' ms',
      ours: version?.wallMs,
      pi: piVersionCost?.wallMs,
      floor: bare?.wallMs,
      to: 'floor',
      limit: 1.3,
    }),
    costTarget('-p ÷ pi, wall', ' ms', 'wallMs', 0.5),
    costTarget('-p ÷ pi, CPU time', ' ms', 'cpuMs', 0.5),
    costTarget('-p ÷ pi, peak memory', ' MiB', 'peakMiB', 0.7),
    {
      what: 'first request',
      measured: ourRequest,
      limit: 5_700,
      unit: ' bytes',
      sides: { unit: ' bytes', rxpi: ourRequest, pi: piRequest },
    },
  ]
}
