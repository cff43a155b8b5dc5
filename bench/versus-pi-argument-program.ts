// Measures a call of one long streamed argument, ours and pi's in one process; writes JSON.
// Argument: pi's packages.
import { of } from 'rxjs'
import type { Session } from '../lib/session/contract/session.ts'
import { lastAnswer } from './call-answers.ts'
import { argumentPieces, keepTool, longCall } from './long-argument.ts'
import { piAgent, timedPiPrompt } from './pi-agent.ts'
import { piCall } from './pi-call.ts'
import { loadPi } from './pi-core.ts'
import type { PiTool } from './pi-core.ts'
import { piText } from './pi-text.ts'
import { withSession } from './scripted-session.ts'
import { timedPrompt } from './timed-prompt.ts'

export interface ArgumentSamples {
  readonly characters: number
  readonly pieces: number
  /** Milliseconds of CPU time of the whole process, one figure a run; the first runs of a process compile much. */
  readonly cold: number[]
  readonly ours: number[]
  /** Milliseconds for `JSON.stringify(session.state$.value)`, between pieces. */
  readonly states: number[]
  /** Missing without pi. */
  readonly pi?: PiArgument
}

export interface PiArgument {
  /** Milliseconds of CPU time. */
  readonly cpu: number
  /** The pieces that it read before its time was over. */
  readonly pieces: number
}

const coldRuns = 40
const runs = 15
const statesEvery = 100
const piLimitMs = 60_000
const pieces = argumentPieces(200_000, 20)

const cold = await ourCpus(coldRuns)
const ours = await ourCpus(runs)
const states = await stateTimes()
const packages = process.argv[2]
const result: ArgumentSamples = {
  characters: pieces.join('').length,
  pieces: pieces.length,
  cold,
  ours,
  states,
  ...(packages === undefined ? {} : { pi: await piArgument(packages) }),
}
process.stdout.write(JSON.stringify(result))

async function ourCpus(count: number): Promise<number[]> {
  const times: number[] = []
  for (let run = 0; run < count; run++) times.push(await ourCpu())
  return times
}

async function ourCpu(): Promise<number> {
  let cpu = 0
  await withCall(async (session) => {
    const before = process.cpuUsage()
    await prompted(session)
    cpu = milliseconds(process.cpuUsage(before))
  })
  return cpu
}

async function stateTimes(): Promise<number[]> {
  const times: number[] = []
  await withCall(prompted, (session, count) => {
    if (count % statesEvery !== 0) return
    const startedAt = performance.now()
    const state = JSON.stringify(session.state$.value)
    times.push(performance.now() - startedAt)
    if (state.length < count) throw new Error('The state is behind the deltas')
  })
  return times
}

/** `between` is called after each piece with their number. */
async function withCall(
  use: (session: Session) => Promise<void>,
  between?: (session: Session, count: number) => void,
): Promise<void> {
  const opened: Session[] = []
  let requests = 0
  const onPiece = (count: number): void => {
    for (const session of opened) between?.(session, count)
  }
  const provider = () => (requests++ === 0 ? longCall(pieces, onPiece) : of(...lastAnswer))
  await withSession({ provider, tools: [keepTool] }, (session) => {
    opened.push(session)
    return use(session)
  })
}

async function prompted(session: Session): Promise<void> {
  let succeeded = 0
  await timedPrompt(session, (event) => {
    if (event.type === 'tool_execution_end' && !event.isError) succeeded++
  })
  if (succeeded !== 1) throw new Error('The call failed')
}

async function piArgument(folder: string): Promise<PiArgument> {
  const pi = await loadPi(folder)
  const tool: PiTool = {
    name: keepTool.name,
    label: 'Keep',
    description: keepTool.description,
    parameters: keepTool.parameters,
    execute: () => Promise.resolve({ content: [{ type: 'text', text: 'kept' }], details: {} }),
  }
  const startedAt = performance.now()
  let requests = 0
  let took = 0
  const taken = (count: number): boolean => {
    took = count
    return performance.now() - startedAt < piLimitMs
  }
  const answer = () =>
    requests++ === 0 ? piCall(pi, { id: 'call_1', name: keepTool.name, pieces, taken }) : piText(pi, 1, 'awaited')
  const agent = piAgent(pi, { answer, tools: [tool] })
  const before = process.cpuUsage()
  await timedPiPrompt(agent)
  return { cpu: milliseconds(process.cpuUsage(before)), pieces: took }
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}
