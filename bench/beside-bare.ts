// Measures an agent, pi and a minimal agent in turns, so that the machine's load affects all.
import type { RunningAgent } from './agents.ts'
import { compareFigures } from './compare-figures.ts'
import { piVersion } from './pi-install.ts'
import type { Cell, Report, Table, Target } from './report.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { median, medianRatio } from './statistics.ts'

interface Samples {
  /** Milliseconds from a prompt to its first delta. */
  readonly firstMs: number[]
  /** Microseconds of CPU time of the whole process for a delta, at one a millisecond. */
  readonly cpu: number[]
}

const prompts = 10
/** Prompts of the bare program before all others: they warm the model and the client, and count for no agent. */
const modelPrompts = 300
/** Prompts that warm up: V8 then has compiled the code of a prompt. They are reported, too. */
const warmRounds = 10
const rounds = 10
/** After those that count, to show the figures of an even warmer process. */
const laterRounds = 20
/** Before an agent's prompts: background work of another agent (compilation, collection) affected the next one. */
const restMs = 300
/** The number of prompts that one line covers as the session continues. */
const reportedPrompts = 100
/**
 * The first one warms up. Each is a second of one delta a millisecond, and varies by a third with the load of the
 * machine.
 */
const pacedRounds = 11
const pacedDeltas = 1_000

export async function besideBare(bare: RunningAgent, ours: RunningAgent, pi?: RunningAgent): Promise<Report> {
  const agents = [bare, ours, ...(pi === undefined ? [] : [pi])]
  const samples = agents.map((): Samples => ({ firstMs: [], cpu: [] }))
  // the first deltas first: each request contains the conversation, whose length is not measured
  const all = agents.map((): number[] => [])
  for (let prompt = 0; prompt < modelPrompts; prompt++) await bare.agent.run({ deltas: 1 })
  await inTurns(agents, warmRounds + rounds + laterRounds, firstDeltas, (index, took, round) => {
    all[index]?.push(...took)
    if (round >= warmRounds && round < warmRounds + rounds) samples[index]?.firstMs.push(...took)
  })
  for (const { agent } of agents) for (let warm = 0; warm < 5; warm++) await agent.run({ deltas: 5_000 })
  await inTurns(agents, pacedRounds, cpuOfDelta, (index, took, round) => {
    if (round > 0) samples[index]?.cpu.push(took)
  })
  return report(samples, all)
}

async function inTurns<Sample>(
  agents: readonly RunningAgent[],
  rounds: number,
  sample: (agent: RunningAgent) => Promise<Sample>,
  keep: (index: number, sample: Sample, round: number) => void,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const [index, agent] of agents.entries()) keep(index, await sample(agent), round)
  }
}

async function firstDeltas({ agent }: RunningAgent): Promise<number[]> {
  await delay(restMs)
  const firstMs: number[] = []
  for (let prompt = 0; prompt < prompts; prompt++) firstMs.push((await agent.run({ deltas: 1 })).firstMs)
  return firstMs
}

async function cpuOfDelta({ agent, usage }: RunningAgent): Promise<number> {
  const before = usage().cpuMs
  await agent.run({ deltas: pacedDeltas, everyMs: 1 })
  return ((usage().cpuMs - before) * 1_000) / pacedDeltas
}

const nothing: Samples = { firstMs: [], cpu: [] }
const limits = { firstMs: 0.5, cpu: 0.45 } as const

function report([bare = nothing, ours = nothing, pi]: readonly Samples[], all: readonly (readonly number[])[]): Report {
  const cells = (samples: Samples): Cell[] =>
    (['firstMs', 'cpu'] as const).flatMap((figure) => [
      median(samples[figure]),
      medianRatio(samples[figure], bare[figure]),
    ])
  const target = (what: string, figure: keyof Samples, unit: string): Target =>
    compareFigures({
      what,
      unit,
      ours: ours[figure],
      pi: pi?.[figure],
      floor: bare[figure],
      to: 'pi',
      limit: limits[figure],
    })
  const floor = (figure: keyof Samples): string =>
    pi === undefined
      ? ''
      : `${medianRatio(bare[figure], pi[figure]).toFixed(2)} of pi’s, where ${limits[figure]} is to be reached`
  return {
    tables: [
      {
        title: 'warm, in turns',
        columns: [
          { title: 'who' },
          { title: 'prompt → first delta, ms', digits: 2 },
          { title: '× bare', digits: 2 },
          { title: 'CPU µs a delta, one a ms', digits: 1 },
          { title: '× bare', digits: 2 },
        ],
        rows: [
          ['bare Node: a line in, one kept connection, lines out', ...cells(bare)],
          ['our rpc', ...cells(ours)],
          ...(pi === undefined ? [] : [[`pi ${piVersion}`, ...cells(pi)]]),
        ],
      },
      seriesTable(all),
    ],
    targets: [target('prompt → first delta ÷ pi', 'firstMs', ' ms'), target('CPU a delta at 1 ms ÷ pi', 'cpu', ' µs')],
    notes: [
      'the bare program writes no log, knows no session and asks with one message',
      `before all others the bare program asked ${modelPrompts} times, so model and client are warm; the model reads only the last user message; each ten prompts begin ${restMs} ms after another agent’s`,
      ...(pi === undefined
        ? []
        : [`the bare program takes ${floor('firstMs')}; of CPU ${floor('cpu')}`, seriesNote(all)]),
    ],
  }
}

/** The delay of first deltas by the number of the prompt in a process. */
function seriesTable(all: readonly (readonly number[])[]): Table {
  return {
    title: 'prompt → first delta as a process goes on, ms',
    columns: [
      { title: 'prompts' },
      { title: 'bare Node', digits: 2 },
      { title: 'our rpc', digits: 2 },
      { title: `pi ${piVersion}`, digits: 2 },
      { title: 'ours ÷ pi', digits: 2 },
    ],
    rows: series(all).map(({ name, bare, ours, pi }) => {
      const medianCell = (samples: readonly number[]): Cell => (samples.length === 0 ? undefined : median(samples))
      return [
        name,
        medianCell(bare),
        medianCell(ours),
        medianCell(pi),
        pi.length === 0 ? undefined : medianRatio(ours, pi),
      ]
    }),
  }
}

function seriesNote(all: readonly (readonly number[])[]): string {
  const ratios = series(all).map(({ name, ours, pi }) => `${name}: ${medianRatio(ours, pi).toFixed(2)}`)
  return `prompt → first delta ÷ pi as both processes go on, prompts ${ratios.join(', ')}; the target’s are ${warmRounds * prompts + 1} to ${(warmRounds + rounds) * prompts}`
}

interface Part {
  /** "1 to 50". */
  readonly name: string
  readonly bare: readonly number[]
  readonly ours: readonly number[]
  /** Empty without pi. */
  readonly pi: readonly number[]
}

function series([bare = [], ours = [], pi = []]: readonly (readonly number[])[]): Part[] {
  return Array.from({ length: Math.floor(bare.length / reportedPrompts) }, (_, part) => {
    const [start, end] = [part * reportedPrompts, (part + 1) * reportedPrompts]
    const cut = (samples: readonly number[]): readonly number[] => samples.slice(start, end)
    return { name: `${start + 1} to ${end}`, bare: cut(bare), ours: cut(ours), pi: cut(pi) }
  })
}
