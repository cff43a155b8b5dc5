// The terminal UI beside pi's: cost of an answer, delay of a key, memory, and start.
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { surroundings } from './agents.ts'
import { installPi } from './pi-install.ts'
import type { Benchmark, Table, Target, Workspace } from './report.ts'
import { median, quantile } from './statistics.ts'
import { ourUi, piUi } from './ui-agents.ts'
import type { UiAgent } from './ui-agents.ts'
import { hasTmux, uiTerminal } from './ui-terminal.ts'
import type { UiTerminal } from './ui-terminal.ts'

const starts = 5
/** Deltas of 20 characters, one a millisecond. */
const answers = [1_000, 5_000] as const
/** Answers of a long session, in deltas, five a millisecond: 100,000 in all. */
const long = Array.from({ length: 5 }, () => 20_000)
/** Keys that are pressed during an answer. */
const keys = 50

export const ui: Benchmark = {
  name: 'ui',
  about: `the terminal UI beside pi's in tmux: ${starts} starts, answers of ${answers.join(' and ')} deltas, ${keys} keys`,
  run: async (workspace) => {
    if (!hasTmux) return { tables: [], targets: [], notes: ['tmux is not installed: nothing was measured'] }
    const pi = await installPi(workspace)
    const around = await surroundings(workspace)
    const agents = [ourUi(around), ...('program' in pi ? [piUi(around, pi.program)] : [])]
    const figures: Figures[] = []
    try {
      for (const agent of agents) figures.push(await measured(workspace, agent))
    } finally {
      for (const agent of agents) endServer(agent)
    }
    return {
      tables: [table(figures)],
      targets: targets(figures),
      notes: 'missing' in pi ? [`The comparison with pi is left out: ${pi.missing}`] : [],
    }
  },
}

/** A server that was started in the background is no child of this process. */
function endServer(agent: UiAgent): void {
  const pid = agent.serverPid()
  if (pid !== undefined) process.kill(pid)
}

interface Figures {
  readonly name: string
  readonly startMs: number
  readonly idleMiB: number
  /** Of UI and server together, by the number of deltas. */
  readonly cpuMs: readonly number[]
  readonly echoMs: readonly number[]
  /** After all answers. */
  readonly laterMiB: number
  /** After the first of the long answers, and after all of them; only of ours. */
  readonly longMiB: readonly [first: number, last: number] | undefined
}

async function measured(workspace: Workspace, agent: UiAgent): Promise<Figures> {
  const begin = (round: number) => uiTerminal(workspace, `${agent.name.split(' ')[0] ?? ''}-${round}`, agent.program)
  const startMs: number[] = []
  for (let round = 0; round <= starts; round += 1) {
    const terminal = await begin(round)
    await terminal.shows(agent.ready)
    if (round > 0) startMs.push(performance.now() - terminal.startedAt) // the first fills caches and starts the server
    terminal.end()
  }
  const terminal = await begin(starts + 1)
  await terminal.shows(agent.ready)
  await delay(2_000)
  const idleMiB = residentMiB(terminal.pid)
  const cpuMs: number[] = []
  for (const deltas of answers) cpuMs.push(await cost(terminal, agent, deltas))
  const echoMs = await echoes(terminal)
  const laterMiB = residentMiB(terminal.pid)
  terminal.end()
  const longMiB = agent.isOurs ? await longSession(await begin(starts + 2), agent) : undefined
  return { name: agent.name, startMs: median(startMs), idleMiB, cpuMs, echoMs, laterMiB, longMiB }
}

/** CPU milliseconds from the prompt until the answer is on the screen and nothing changes any more. */
async function cost(terminal: UiTerminal, agent: UiAgent, deltas: number): Promise<number> {
  const mark = `end-of-${deltas}`
  await sendPrompt(terminal, { deltas, everyMs: 1, mark })
  const before = cpuOf(terminal.pid) + cpuOf(agent.serverPid())
  terminal.press('Enter')
  await terminal.shows(`${mark}.`)
  await delay(500)
  return cpuOf(terminal.pid) + cpuOf(agent.serverPid()) - before
}

/** Milliseconds from each key to its echo, during an answer of 1,000 deltas a second. */
async function echoes(terminal: UiTerminal): Promise<number[]> {
  await sendPrompt(terminal, { deltas: keys * 100, everyMs: 1, mark: 'end-of-keys' })
  terminal.press('Enter')
  await delay(500)
  const waits: number[] = []
  for (let index = 0; index < keys; index += 1) {
    const letter = String.fromCodePoint(0x100 + index) // occurs nowhere else
    waits.push(await terminal.type(letter, letter))
    await delay(60 + (index % 7) * 5)
  }
  await terminal.shows('end-of-keys.') // the next start would be offered a session with an active run
  return waits
}

async function longSession(terminal: UiTerminal, agent: UiAgent): Promise<[first: number, last: number]> {
  await terminal.shows(agent.ready)
  const held: number[] = []
  for (const [index, deltas] of long.entries()) {
    const mark = `end-of-long-${index}`
    await sendPrompt(terminal, { deltas, everyMs: 0.2, mark })
    terminal.press('Enter')
    await terminal.shows(`${mark}.`)
    held.push(residentMiB(terminal.pid))
  }
  terminal.end()
  return [held[0] ?? 0, held.at(-1) ?? 0]
}

async function sendPrompt(terminal: UiTerminal, wanted: object): Promise<void> {
  const text = JSON.stringify(wanted)
  await terminal.type(text, text.slice(-3))
  await terminal.shows(text)
}

function cpuOf(pid: number | undefined): number {
  if (pid === undefined) return 0
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function residentMiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
}

function table(figures: readonly Figures[]): Table {
  return {
    title: 'the terminal UI (CPU: with its server)',
    columns: [
      { title: 'UI' },
      { title: 'start, ms' },
      ...answers.map((deltas) => ({ title: `CPU ms, ${deltas} deltas` })),
      { title: 'key, median ms', digits: 1 },
      { title: 'key, p95 ms', digits: 1 },
      { title: 'idle MiB' },
      { title: 'later MiB' },
    ],
    rows: figures.map(({ name, startMs, cpuMs, echoMs, idleMiB, laterMiB }) => [
      name,
      startMs,
      ...cpuMs,
      median(echoMs),
      quantile(echoMs, 0.95),
      idleMiB,
      laterMiB,
    ]),
  }
}

function targets([ours, pi]: readonly Figures[]): Target[] {
  if (ours === undefined) return []
  const of = (what: string, unit: string, limit: number, figure: (figures: Figures) => number | undefined): Target => {
    const [rxpi, theirs] = [figure(ours), pi === undefined ? undefined : figure(pi)]
    const measured = rxpi === undefined || theirs === undefined ? undefined : rxpi / theirs
    return { what, measured, limit, unit: '×', sides: { unit, rxpi, pi: theirs } }
  }
  const echo = ({ echoMs }: Figures): number => quantile(echoMs, 0.95)
  return [
    {
      what: 'key press to echo while 1,000 deltas a second come, p95',
      measured: echo(ours),
      limit: 50,
      unit: ' ms',
      sides: { unit: ' ms', rxpi: echo(ours), pi: pi === undefined ? undefined : echo(pi) },
    },
    ...answers.map((deltas, index) =>
      of(`CPU of UI and server ÷ pi, ${deltas} deltas`, ' ms', 0.5, ({ cpuMs }) => cpuMs[index]),
    ),
    of('idle memory of the UI ÷ pi', ' MiB', 1, ({ idleMiB }) => idleMiB),
    {
      what: 'memory of the UI after 100,000 deltas ÷ after 20,000',
      measured: ours.longMiB === undefined ? undefined : ours.longMiB[1] / ours.longMiB[0],
      limit: 1.2,
      unit: '×',
    },
    of('start to first prompt ÷ pi, warm server', ' ms', 1, ({ startMs }) => startMs),
  ]
}
