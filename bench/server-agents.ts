// Measures the cost and the latency of one agent; ours and pi's get the same requests.
import { setTimeout as delay } from 'node:timers/promises'
import type { RunningAgent, RunningServer } from './agents.ts'
import type { RequestedAnswer } from './prompted-model-program.ts'
import type { LineAgent } from './line-agent.ts'
import { median, quantile } from './statistics.ts'

export interface AgentFigures {
  readonly bytesPerDelta: number
  readonly deltasPerSecond: number
  /** Milliseconds to a response during a long streamed argument, and during much output of a tool. */
  readonly stateDuringArgument: Answers
  readonly stateDuringOutput: Answers
  /** Bytes of output events for a byte of output; of pi, for a byte of the whole. */
  readonly outputRatio: number
}

export interface Answers {
  readonly p50: number
  readonly p99: number
}

const fastDeltas = 20_000
const rounds = 3
/** 434 KiB in lines of 60 characters. */
export const outputBytes = 434 * 1024
const putOut = `yes "$(printf 'a line of output %.0s' 1 2 3 | cut -c1-59)" | head -c ${outputBytes}`
/** Milliseconds between two pieces of a long argument, which leaves time for requests: 5,000 of them in a second. */
const argumentMs = 0.2
/** The number of outputs, so that there are enough responses. */
const outputs = 8
/** A command of 100,000 characters that does nothing. */
const longCommand = `: ${'x'.repeat(100_000)}`

export async function agentFigures({ agent }: Pick<RunningAgent, 'agent'>, state: object): Promise<AgentFigures> {
  for (let warm = 0; warm < 5; warm++) await agent.run({ deltas: 500 })
  const rates = await deltaRates(agent)
  const { deltas, deltaBytes } = await agent.run({ deltas: 1_000 })
  for (const command of [putOut, longCommand]) await agent.run({ command }) // a first call loads the code for calls
  const argument = await measureDuring(agent, state, { command: longCommand, everyMs: argumentMs })
  const output = await measureDuring(agent, state, { command: putOut })
  return {
    bytesPerDelta: deltaBytes / deltas,
    deltasPerSecond: median(rates),
    stateDuringArgument: argument.answers,
    stateDuringOutput: output.answers,
    outputRatio: output.ratio,
  }
}

/** Deltas a second that it passes on from answers at full speed. */
export async function deltaRates(agent: LineAgent): Promise<number[]> {
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { ms, deltas } = await agent.run({ deltas: fastDeltas })
    rates.push((deltas / ms) * 1_000)
  }
  return rates
}

/** Requests the state every 2 ms or, if a response takes longer, after the previous one. */
async function measureDuring(
  agent: LineAgent,
  state: object,
  answer: RequestedAnswer,
): Promise<{ answers: Answers; ratio: number }> {
  const times: number[] = []
  const over = new AbortController()
  const polling = (async () => {
    while (!over.signal.aborted) {
      const startedAt = performance.now()
      await agent.ask(state)
      times.push(performance.now() - startedAt)
      await delay(2)
    }
  })()
  let ratio = 0
  for (let run = answer.everyMs === undefined ? 0 : outputs - 1; run < outputs; run++) {
    const figures = await agent.run(answer)
    ratio = figures.outputBytes / (figures.shownBytes > 0 ? figures.shownBytes : outputBytes)
  }
  over.abort()
  await polling
  return { answers: { p50: median(times), p99: quantile(times, 0.99) }, ratio }
}

export interface ServerFigures {
  /** Deltas a second that each of 20 clients gets. */
  readonly deltasToTwenty: number
  /** Milliseconds from the model's write to a client, over 100 clients of one session. */
  readonly fanOut: Answers
  /**
   * Of 100 sessions with a run each at once: milliseconds from prompt to first delta, and from the model's write to the
   * client.
   */
  readonly prompts: Answers
  readonly deltas: Answers
  readonly idleClient: number
  readonly idleSession: number
}

const many = 100

export async function serverFigures(server: RunningServer): Promise<ServerFigures> {
  const { agent, session } = await server.client()
  for (let warm = 0; warm < 5; warm++) await agent.run({ deltas: 500 })
  const rssBefore = server.usage().rss
  for (let count = 0; count < many; count++) await server.idle()
  const rssClients = server.usage().rss
  const clients = [agent]
  while (clients.length < 20) clients.push((await server.client(session)).agent)
  const { ms } = await agent.run({ deltas: fastDeltas })
  while (clients.length < many) clients.push((await server.client(session)).agent)
  const fanOut = await delays(clients, agent)
  const rssSessions = server.usage().rss
  const agents: LineAgent[] = []
  while (agents.length < many) agents.push((await server.client()).agent)
  const idleSession = (server.usage().rss - rssSessions) / many
  return {
    deltasToTwenty: (fastDeltas / ms) * 1_000,
    fanOut,
    ...(await atOnce(agents)),
    idleClient: (rssClients - rssBefore) / many,
    idleSession,
  }
}

/** All clients receive the answer to one client's prompt. */
async function delays(clients: readonly LineAgent[], prompting: LineAgent): Promise<Answers> {
  const took = timesOf(clients)
  for (const client of clients) if (client !== prompting) client.listen()
  await prompting.run({ deltas: 500, everyMs: 10 })
  await delay(100)
  return { p50: median(took), p99: quantile(took, 0.99) }
}

async function atOnce(agents: readonly LineAgent[]): Promise<Pick<ServerFigures, 'prompts' | 'deltas'>> {
  for (const agent of agents) await agent.run({ deltas: 1 })
  const took = timesOf(agents)
  const runs = await Promise.all(agents.map((agent) => agent.run({ deltas: 50, everyMs: 40 })))
  const first = runs.map(({ firstMs }) => firstMs)
  return {
    prompts: { p50: median(first), p99: quantile(first, 0.99) },
    deltas: { p50: median(took), p99: quantile(took, 0.99) },
  }
}

/** Collects the milliseconds of each delta since the model's write, whose time is its text. */
function timesOf(agents: readonly LineAgent[]): number[] {
  const took: number[] = []
  for (const agent of agents) {
    agent.onDelta = (line) => {
      const written = /"text":"0*(\d+\.\d+)/.exec(line)?.[1]
      if (written !== undefined) took.push(performance.timeOrigin + performance.now() - Number(written))
    }
  }
  return took
}
