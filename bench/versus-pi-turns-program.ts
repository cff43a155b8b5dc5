// Measures runs of many turns with one tool call each, ours and pi's in turns; writes JSON.
// Argument: pi's packages.
import { callAnswers, lookTools } from './call-answers.ts'
import { piAgent, timedPiPrompt } from './pi-agent.ts'
import { piCall } from './pi-call.ts'
import { loadPi } from './pi-core.ts'
import type { PiTool } from './pi-core.ts'
import { piText } from './pi-text.ts'
import { withSession } from './scripted-session.ts'
import { timedPrompt } from './timed-prompt.ts'

/** Microseconds a turn, one figure a round. */
export interface TurnSamples {
  readonly turns: number
  /** The tool answers in the call itself. */
  readonly synchronous: number[]
  /** The tool answers with a promise, as pi's tools do. */
  readonly asynchronous: number[]
  readonly pi: number[]
}

const turns = 1_000
const rounds = 9

const pi = await loadPi(process.argv[2] ?? '')
const piLook: PiTool = {
  name: lookTools.synchronous.name,
  label: 'Look',
  description: lookTools.synchronous.description,
  parameters: lookTools.synchronous.parameters,
  execute: () =>
    Promise.resolve({ content: [{ type: 'text', text: 'The tool has done what it was asked for.' }], details: {} }),
}

await takeSamples(newSamples()) // compiles hot code
const samples = newSamples()
for (let round = 0; round < rounds; round++) await takeSamples(samples)
process.stdout.write(JSON.stringify(samples))

function newSamples(): TurnSamples {
  return { turns, synchronous: [], asynchronous: [], pi: [] }
}

async function takeSamples({ synchronous, asynchronous, pi: theirs }: TurnSamples): Promise<void> {
  synchronous.push((await ourTime('synchronous')) / turns)
  asynchronous.push((await ourTime('asynchronous')) / turns)
  theirs.push((await piTime()) / turns)
}

async function ourTime(tool: keyof typeof lookTools): Promise<number> {
  return withSession({ provider: callAnswers(turns), tools: [lookTools[tool]] }, async (session) => {
    let ended = 0
    const microseconds = await timedPrompt(session, (event) => {
      if (event.type === 'tool_execution_end' && !event.isError) ended++
    })
    checkCount(ended)
    return microseconds
  })
}

async function piTime(): Promise<number> {
  let request = 0
  const agent = piAgent(pi, {
    answer: () => (request++ < turns ? lookCall(request) : piText(pi, 1, 'awaited')),
    tools: [piLook],
  })
  let ended = 0
  agent.subscribe(({ type, isError }) => {
    if (type === 'tool_execution_end' && isError === false) ended++
  })
  const microseconds = await timedPiPrompt(agent)
  checkCount(ended)
  return microseconds
}

function lookCall(request: number) {
  const pieces = [JSON.stringify({ path: `folder/file-${request}.txt` })]
  return piCall(pi, { id: `call_${request}`, name: piLook.name, pieces })
}

function checkCount(ended: number): void {
  if (ended !== turns) throw new Error(`${ended} calls of ${turns} ended well`)
}
