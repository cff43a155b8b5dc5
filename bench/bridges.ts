// The faces for other programs beside the socket: what a prompt costs until its first delta.
import { setTimeout as delay } from 'node:timers/promises'
import { acpAgent } from './acp-agent.ts'
import { ourServer, surroundings } from './agents.ts'
import { crowdCosts, crowdReport } from './client-crowds.ts'
import { compareFigures } from './compare-figures.ts'
import type { LineAgent } from './line-agent.ts'
import type { Benchmark, Report } from './report.ts'
import { median, medianRatio } from './statistics.ts'

const prompts = 10
/** The first ones warm up: V8 then has compiled the code of a prompt. */
const warmRounds = 10
const rounds = 20
/** Before an agent's prompts: background work of another agent affects the next one. */
const restMs = 300
const limit = 1.5

export const bridges: Benchmark = {
  name: 'bridges',
  about: 'a prompt’s first delta by ACP and by WebSocket beside the socket, and 100 clients of one session by both',
  run: async (workspace) => {
    const around = await surroundings(workspace)
    const server = await ourServer(around, 'a-token-of-this-benchmark')
    const { agent } = await server.client()
    const page = await server.webSocketClient()
    const agents = [agent, await acpAgent(around, server.socket), page.agent]
    const [socket, acp, webSocket] = await firstDeltas(agents)
    const first = bridgesReport(socket ?? [], acp ?? [], webSocket ?? [])
    const crowds = crowdReport(await crowdCosts(server))
    return {
      tables: [...first.tables, ...crowds.tables],
      targets: [...first.targets, ...crowds.targets],
      notes: [...first.notes, ...crowds.notes],
    }
  },
}

/** Milliseconds of each agent's prompts, in turns. */
async function firstDeltas(agents: readonly LineAgent[]): Promise<number[][]> {
  const took = agents.map((): number[] => [])
  for (let round = 0; round < warmRounds + rounds; round++) {
    for (const [index, agent] of agents.entries()) {
      await delay(restMs)
      for (let prompt = 0; prompt < prompts; prompt++) {
        const { firstMs } = await agent.run({ deltas: 1 })
        if (round >= warmRounds) took[index]?.push(firstMs)
      }
    }
  }
  return took
}

/** Of the socket's and the bridge's milliseconds. */
export function bridgesReport(socket: readonly number[], acp: readonly number[], webSocket: readonly number[]): Report {
  return {
    tables: [
      {
        title: 'prompt → first delta',
        columns: [{ title: 'face' }, { title: 'ms', digits: 2 }, { title: '× socket', digits: 2 }],
        rows: [
          ['socket', median(socket), 1],
          ['rxpi acp', median(acp), medianRatio(acp, socket)],
          ['WebSocket', median(webSocket), medianRatio(webSocket, socket)],
        ],
      },
    ],
    targets: [
      compareFigures({
        what: 'prompt → first delta by ACP ÷ socket',
        unit: ' ms',
        ours: acp,
        floor: socket,
        to: 'floor',
        limit,
      }),
      compareFigures({
        what: 'prompt → first delta by WebSocket ÷ socket',
        unit: ' ms',
        ours: webSocket,
        floor: socket,
        to: 'floor',
        limit,
      }),
    ],
    notes: [
      `one server, a session for each face, ${prompts} prompts in turns; ${warmRounds} rounds warm up; each ten prompts begin ${restMs} ms after the others`,
      'an editor has one process more between itself and the server than a client of the socket',
    ],
  }
}
