// Measures a server from its start to its first line, and its idle memory, beside pi's rpc.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { compareFigures } from './compare-figures.ts'
import { killGroup } from './kill-group.ts'
import { installPi, piVersion } from './pi-install.ts'
import type { Benchmark, Table, Target, Workspace } from './report.ts'
import { median } from './statistics.ts'

const rounds = 7
/** Milliseconds until a server without requests is at rest. */
const rest = 2_000

export const serverStart: Benchmark = {
  name: 'server-start',
  about: `${rounds} starts of each server in turns, until it says its first line, and its memory ${rest / 1_000} s later`,
  run: async (workspace) => {
    const pi = await installPi(workspace)
    const starts = [
      socketStart(workspace),
      rpcStart(workspace),
      bareStart(workspace),
      ...('program' in pi ? [piStart(workspace, pi.program)] : []),
    ]
    const figures = starts.map(({ name }): Figures => ({ name, readyMs: [], idleMiB: [] }))
    for (const start of starts) killGroup((await start.begin()).child) // fills compile caches
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, start] of starts.entries()) await measure(start, figures[index])
    }
    return {
      tables: [table(figures)],
      targets: targets(figures),
      notes: 'missing' in pi ? [`The comparison with pi is left out: ${pi.missing}`] : [],
    }
  },
}

export interface Start {
  readonly name: string
  /** Resolves at its first line. */
  begin(): Promise<{ readonly child: ChildProcess }>
}

interface Figures {
  readonly name: string
  readonly readyMs: number[]
  readonly idleMiB: number[]
}

async function measure(start: Start, figures: Figures | undefined): Promise<void> {
  const begun = performance.now()
  const { child } = await start.begin()
  figures?.readyMs.push(performance.now() - begun)
  await delay(rest)
  const status = readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8')
  figures?.idleMiB.push(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_024)
  const ended = once(child, 'exit')
  killGroup(child)
  await ended
}

export function socketStart(workspace: Workspace): Start {
  const { cwd, env, rxpi } = surroundings(workspace)
  const socket = path.join(workspace.folder, 'run/rxpi.sock')
  return {
    name: 'rxpi serve, connected',
    begin: async () => {
      const child = workspace.spawn(rxpi, ['serve', '--socket', socket], { cwd, env, stdio: 'ignore' })
      while (!(await greets(socket))) await delay(1)
      return { child }
    },
  }
}

function greets(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket)
    connection.on('error', () => {
      resolve(false)
    })
    connection.on('data', () => {
      connection.destroy()
      resolve(true)
    })
  })
}

export function rpcStart(workspace: Workspace): Start {
  const { cwd, env, rxpi } = surroundings(workspace)
  return {
    name: 'rxpi rpc',
    begin: () => firstLine(workspace.spawn(rxpi, ['rpc'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })),
  }
}

/** A socket and one line for each connection: the lower bound of a server. */
function bareStart(workspace: Workspace): Start {
  const { cwd, env } = surroundings(workspace)
  const socket = path.join(workspace.folder, 'bare.sock')
  const program = `require('node:net').createServer((socket) => socket.write('{}\\n')).listen(${JSON.stringify(socket)})`
  return {
    name: 'bare Node, a socket and a line',
    begin: async () => {
      rmSync(socket, { force: true })
      const child = workspace.spawn(process.execPath, ['-e', program], { cwd, env, stdio: 'ignore' })
      while (!(await greets(socket))) await delay(1)
      return { child }
    },
  }
}

/** It prints nothing by itself: a request for its state is answered when it is ready. */
function piStart(workspace: Workspace, program: string): Start {
  const { cwd, env, home } = surroundings(workspace)
  const agent = { PI_CODING_AGENT_DIR: path.join(home, 'pi-agent'), PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' }
  return {
    name: `pi ${piVersion} --mode rpc`,
    begin: () => {
      const options = { cwd, env: { ...env, ...agent }, stdio: ['pipe', 'pipe', 'ignore'] } as const
      const child = workspace.spawn(process.execPath, [program, '--offline', '--mode', 'rpc'], {
        ...options,
        stdio: [...options.stdio],
      })
      child.stdin?.write('{"id":"1","type":"get_state"}\n')
      return firstLine(child)
    },
  }
}

async function firstLine(child: ChildProcess): Promise<{ readonly child: ChildProcess }> {
  if (child.stdout !== null) await once(child.stdout, 'data')
  return { child }
}

function surroundings({ folder, root }: Workspace) {
  const [cwd, home] = [path.join(folder, 'project'), path.join(folder, 'home')]
  for (const each of [cwd, home]) mkdirSync(each, { recursive: true })
  return { cwd, home, env: { PATH: process.env.PATH, HOME: home }, rxpi: path.join(root, 'bin/rxpi') }
}

function table(figures: readonly Figures[]): Table {
  return {
    title: 'medians',
    columns: [{ title: 'server' }, { title: 'ready, ms', digits: 1 }, { title: 'idle, MiB', digits: 1 }],
    rows: figures.map(({ name, readyMs, idleMiB }) => [name, median(readyMs), median(idleMiB)]),
  }
}

function targets([serve, rpc, bare, pi]: readonly Figures[]): Target[] {
  const of = (what: string, figure: 'readyMs' | 'idleMiB', ours: Figures | undefined, limit: number): Target => {
    const unit = figure === 'readyMs' ? ' ms' : ' MiB'
    return compareFigures({
      what,
      unit,
      ours: ours?.[figure],
      pi: pi?.[figure],
      floor: bare?.[figure],
      to: 'pi',
      limit,
    })
  }
  return [
    of('rxpi serve ÷ pi, ready', 'readyMs', serve, 0.35),
    of('rxpi rpc ÷ pi, ready', 'readyMs', rpc, 0.35),
    of('rxpi serve ÷ pi, idle memory', 'idleMiB', serve, 0.6),
  ]
}
