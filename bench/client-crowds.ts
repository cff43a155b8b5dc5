// What 100 clients of one session cost the server, over WebSockets and over sockets.
import { setTimeout as delay } from 'node:timers/promises'
import type { RunningServer } from './agents.ts'
import { compareFigures } from './compare-figures.ts'
import type { Report } from './report.ts'
import { median, medianRatio } from './statistics.ts'

const clients = 100
const deltas = 5_000
const rounds = 5
/** For what is still to be sent after a run, and for the server's own work after it. */
const settleMs = 500
const limit = 2

/** Milliseconds of the server's CPU for one answer, a figure a round; both crowds in turns, each with a session. */
export interface CrowdCosts {
  readonly sockets: readonly number[]
  readonly webSockets: readonly number[]
}

export async function crowdCosts(server: RunningServer): Promise<CrowdCosts> {
  const crowds = [
    await crowd((session) => server.client(session)),
    await crowd((session) => server.webSocketClient(session)),
  ]
  const took = crowds.map((): number[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, run] of crowds.entries()) {
      const before = server.usage().cpuMs
      await run()
      await delay(settleMs)
      if (round > 0) took[index]?.push(server.usage().cpuMs - before) // the first round warms up
    }
  }
  return { sockets: took[0] ?? [], webSockets: took[1] ?? [] }
}

/** Connects the clients to one new session; returns a function that lets the session answer. */
async function crowd(connect: RunningServer['client']): Promise<() => Promise<unknown>> {
  const first = await connect()
  for (let client = 1; client < clients; client++) await connect(first.session)
  return () => first.agent.run({ deltas, everyMs: 0 })
}

export function crowdReport({ sockets, webSockets }: CrowdCosts): Report {
  return {
    tables: [
      {
        title: `an answer of ${deltas} deltas for ${clients} clients of one session`,
        columns: [{ title: 'clients' }, { title: 'CPU of the server, ms' }, { title: '× sockets', digits: 2 }],
        rows: [
          ['sockets', median(sockets), 1],
          ['WebSockets', median(webSockets), medianRatio(webSockets, sockets)],
        ],
      },
    ],
    targets: [
      compareFigures({
        what: `CPU for ${clients} WebSockets of one session ÷ sockets`,
        unit: ' ms',
        ours: webSockets,
        floor: sockets,
        to: 'floor',
        limit,
      }),
    ],
    notes: [
      `${rounds} answers for each crowd, in turns, after one that warms up; all clients are in the process of the benchmark`,
    ],
  }
}
