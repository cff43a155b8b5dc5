// The server under clients: fan-out, a client that stops reading, latencies, beside pi's rpc.
import path from 'node:path'
import { bareNode, ourRpc, ourServer, piRpc, surroundings } from './agents.ts'
import type { Surroundings } from './agents.ts'
import { besideBare } from './beside-bare.ts'
import { runBundled } from './bundled-program.ts'
import type { BundledOptions } from './bundled-program.ts'
import { compareFigures } from './compare-figures.ts'
import { joinReports } from './join-reports.ts'
import { installPi, piVersion } from './pi-install.ts'
import type { Benchmark, Report, Table, Target, Workspace } from './report.ts'
import { agentFigures, deltaRates, serverFigures } from './server-agents.ts'
import type { AgentFigures, ServerFigures } from './server-agents.ts'
import type { FanFigures } from './server-fan-program.ts'
import { median, medianRatio } from './statistics.ts'
import { turnGaps } from './turn-gaps.ts'

const rounds = 3
/** Some seconds of it: compilation in a fresh process would be a quarter of the time of 30,000. */
const fanDeltas = 100_000
const slowRounds = 3
const slowDeltas = 1_000_000
const readers = 20
const mebibyte = 2 ** 20

export const server: Benchmark = {
  name: 'server',
  about: `one answer to 100 clients beside bare sockets, a client that stops for ${slowDeltas} deltas, and our agent beside pi ${piVersion} on one model`,
  run: async (workspace) => {
    const fans = await fanOut(workspace)
    const around = await surroundings(workspace)
    const gaps = await gapsOfNew(around)
    const served = await serverFigures(await ourServer(around))
    const ours = await ourRpc(around)
    const pi = await installPi(workspace)
    const rival = 'program' in pi ? await piRpc(around, pi.program) : undefined
    // first of all: the other figures leave a conversation of megabytes, which each request would contain
    const bare = bareNode(around)
    const beside = await besideBare(bare, ours.running, rival)
    const floor = median(await deltaRates(bare.agent))
    const our = await agentFigures(ours.running, ours.state)
    const theirs = rival === undefined ? undefined : await agentFigures(rival, { type: 'get_state' })
    const notes = 'missing' in pi ? [`The comparison with pi is left out: ${pi.missing}`] : []
    return joinReports([
      fanReport(fans),
      servedReport(served),
      agentReport(our, theirs, floor, served),
      beside,
      gaps,
      { tables: [], targets: [], notes },
    ])
  },
}

/** In separate, short conversations. */
async function gapsOfNew(around: Surroundings): Promise<Report> {
  const pi = await installPi(around.workspace)
  const { running } = await ourRpc(around)
  return turnGaps(around, running, 'program' in pi ? await piRpc(around, pi.program) : undefined)
}

interface Fans {
  readonly bare: readonly FanFigures[]
  readonly served: readonly FanFigures[]
  /** 20 reading clients; and one more that does not read. */
  readonly reading: readonly FanFigures[]
  readonly stopped: readonly FanFigures[]
}

async function fanOut(workspace: Workspace): Promise<Fans> {
  const program = path.join(workspace.root, 'bench/server-readers-program.ts')
  const fan = (mode: string): string[] => [mode, '100', String(fanDeltas), '0', 'deltas', program]
  const slow = (stopped: number): string[] => [
    'server',
    String(readers + stopped),
    String(slowDeltas),
    String(stopped),
    'settled',
    program,
  ]
  const turns = <Value>(count: number, each: readonly Value[]): Value[] =>
    Array.from({ length: count }, () => each).flat()
  const run = (runs: readonly string[][], flags: Required<BundledOptions>['flags']) =>
    runBundled<FanFigures>(workspace, 'server-fan-program', runs, { flags })
  const fans = await run(turns(rounds, [fan('bare'), fan('server')]), 'none') // both with the defaults of Node
  const slows = await run(turns(slowRounds, [slow(0), slow(1)]), 'of the command') // memory, with the settings of `rxpi serve`
  const every = (of: readonly FanFigures[], rest: number): FanFigures[] => of.filter((_, index) => index % 2 === rest)
  return { bare: every(fans, 0), served: every(fans, 1), reading: every(slows, 0), stopped: every(slows, 1) }
}

function fanReport({ bare, served, reading, stopped }: Fans): Report {
  const middle = (figures: readonly FanFigures[], figure: 'rssMost' | 'held'): number =>
    median(figures.map((each) => each[figure] / mebibyte))
  const row = (name: string, figures: readonly FanFigures[], clients: number, deltas: number) => [
    name,
    median(figures.map(({ ms }) => (clients * deltas) / ms)),
    median(figures.map(({ cpuMs }) => (cpuMs * 1_000) / (clients * deltas))),
    middle(figures, 'rssMost'),
    ...(clients === readers ? [middle(figures, 'held')] : []),
  ]
  const table: Table = {
    title: 'one answer to many clients',
    columns: [
      { title: 'clients' },
      { title: 'deliveries a ms' },
      { title: 'CPU µs each', digits: 3 },
      { title: 'peak MiB' },
      { title: 'held in the end, MiB' },
    ],
    rows: [
      row('100 bare sockets', bare, 100, fanDeltas),
      row('100 clients', served, 100, fanDeltas),
      row(`${readers} clients, 10⁶ deltas`, reading, readers, slowDeltas),
      row(`… and one that stops reading`, stopped, readers, slowDeltas),
    ],
  }
  const ms = (figures: readonly FanFigures[]): number[] => figures.map((each) => each.ms)
  const whole = [...served, ...reading, ...stopped].every((each) => each.whole && (each.caughtUp?.whole ?? true))
  const growth = middle(stopped, 'held') - middle(reading, 'held')
  return {
    tables: [table],
    targets: [
      compareFigures({
        what: 'time of 100 clients ÷ of bare sockets (≥ 70 % of the deliveries)',
        unit: ' ms',
        ours: ms(served),
        floor: ms(bare),
        to: 'floor',
        limit: 1 / 0.7,
      }),
      {
        what: 'time with a client that stops ÷ without',
        measured: medianRatio(ms(stopped), ms(reading)),
        limit: 1.1,
        unit: '×',
      },
      { what: 'memory that it adds', measured: growth, limit: 20, unit: ' MiB' },
      { what: 'clients with a line too few or twice', measured: whole ? 0 : 1, limit: 0, unit: '' },
    ],
    notes: [
      'a client that stops: the figure is the memory at the end, before it continues; the peak depends on the time of garbage collection and varies by some 40 MiB',
      `the stopped client had everything ${median(stopped.map(({ caughtUp }) => caughtUp?.ms ?? 0)).toFixed(0)} ms after it continued`,
    ],
  }
}

function servedReport({ fanOut, prompts, deltas, idleClient, idleSession }: ServerFigures): Report {
  return {
    tables: [
      {
        title: 'one server, milliseconds',
        columns: [{ title: 'what' }, { title: 'p50', digits: 1 }, { title: 'p99', digits: 1 }],
        rows: [
          ['from the model to 100 clients of one session', fanOut.p50, fanOut.p99],
          ['100 sessions at once: prompt to first delta', prompts.p50, prompts.p99],
          ['… from the model to the client, 2,500 deltas/s', deltas.p50, deltas.p99],
        ],
      },
      {
        title: 'memory of one more that is idle',
        columns: [{ title: 'what' }, { title: 'KiB' }],
        rows: [
          ['client', idleClient / 1_024],
          ['session with its client', idleSession / 1_024],
        ],
      },
    ],
    targets: [{ what: 'fan-out to 100 clients, p99', measured: fanOut.p99, limit: 10, unit: ' ms' }],
    notes: [],
  }
}

/** `floor`: deltas a second of the bare program. */
function agentReport(
  ours: AgentFigures,
  pi: AgentFigures | undefined,
  floor: number,
  { deltasToTwenty }: ServerFigures,
): Report {
  const rows: [string, (figures: AgentFigures) => number][] = [
    ['bytes a delta', ({ bytesPerDelta }) => bytesPerDelta],
    ['deltas a second', ({ deltasPerSecond }) => deltasPerSecond],
    ['get_state during a long argument, p50 ms', ({ stateDuringArgument }) => stateDuringArgument.p50],
    ['… p99 ms', ({ stateDuringArgument }) => stateDuringArgument.p99],
    ['get_state during much output, p50 ms', ({ stateDuringOutput }) => stateDuringOutput.p50],
    ['… p99 ms', ({ stateDuringOutput }) => stateDuringOutput.p99],
    ['bytes sent for a byte of output', ({ outputRatio }) => outputRatio],
  ]
  const held = (what: string, unit: string, limit: number, of: (figures: AgentFigures) => number): Target => {
    const sides = { unit, rxpi: of(ours), pi: pi === undefined ? undefined : of(pi) }
    return { what, measured: sides.rxpi, limit, unit, sides }
  }
  const targets: Target[] = [
    held('bytes a delta of 20 characters', ' bytes', 110, ({ bytesPerDelta }) => bytesPerDelta),
    {
      what: 'pi’s deltas a second ÷ ours',
      measured: pi === undefined ? undefined : pi.deltasPerSecond / ours.deltasPerSecond,
      limit: 0.2,
      unit: '×',
      sides: { unit: '', rxpi: ours.deltasPerSecond, pi: pi?.deltasPerSecond, floor },
    },
    held('get_state during a long argument, p99', ' ms', 20, ({ stateDuringArgument }) => stateDuringArgument.p99),
    held('get_state during much output, p99', ' ms', 20, ({ stateDuringOutput }) => stateDuringOutput.p99),
    held('bytes sent for a byte of output', '', 1.15, ({ outputRatio }) => outputRatio),
  ]
  return {
    tables: [
      {
        title: 'our rpc beside pi’s',
        columns: [{ title: 'what' }, { title: 'ours', digits: 2 }, { title: `pi ${piVersion}`, digits: 2 }],
        rows: [
          ...rows.map(([what, of]) => [what, of(ours), pi === undefined ? undefined : of(pi)]),
          ['deltas a second to each of 20 clients', deltasToTwenty, undefined],
        ],
      },
    ],
    targets,
    notes: [],
  }
}
