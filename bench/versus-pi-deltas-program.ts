// Measures a streamed message through our session and pi's agent in turns; writes JSON.
// Argument: pi's packages.
import { piAgent, timedPiPrompt } from './pi-agent.ts'
import { loadPi } from './pi-core.ts'
import type { PiAgent } from './pi-core.ts'
import { piText } from './pi-text.ts'
import type { PiFeed } from './pi-text.ts'
import { withSession } from './scripted-session.ts'
import { textAnswer } from './text-answer.ts'
import { timedPrompt } from './timed-prompt.ts'
import type { Session } from '../lib/session/contract/session.ts'

/** Microseconds a delta, one figure a run. */
export interface DeltaSamples {
  readonly deltas: number
  readonly subscribers: number
  readonly ours: number[]
  /** pi, its provider reading the pieces from an async iterator. */
  readonly pi: number[]
  /** pi, all pieces pushed synchronously; measured with one subscriber only. */
  readonly piAtOnce: number[]
}

const rounds = 5
const sizes = [
  { deltas: 1e3, runs: 60 },
  { deltas: 5e4, runs: 4 },
  { deltas: 2e5, runs: 2 },
  { deltas: 1e6, runs: 1 },
]
/** 10⁸ deliveries take pi 6 s. */
const roundsOfLongest = 3

const pi = await loadPi(process.argv[2] ?? '')
const cells = [1, 10, 100].flatMap((subscribers) =>
  sizes.map(({ deltas, runs }) => ({ samples: newSamples(deltas, subscribers), runs })),
)
for (const subscribers of [1, 10, 100]) await takeSamples(newSamples(1e3, subscribers), 200) // compiles hot code
for (let round = 0; round < rounds; round++) {
  for (const { samples, runs } of cells) {
    if (samples.deltas * samples.subscribers < 1e8 || round < roundsOfLongest) await takeSamples(samples, runs)
  }
}
process.stdout.write(JSON.stringify(cells.map(({ samples }) => samples)))

function newSamples(deltas: number, subscribers: number): DeltaSamples {
  return { deltas, subscribers, ours: [], pi: [], piAtOnce: [] }
}

/** One session and one agent a feed, each with one prompt after the other. */
async function takeSamples({ deltas, subscribers, ours, pi: awaited, piAtOnce }: DeltaSamples, runs: number) {
  const agents = { awaited: agentOf('awaited', deltas), 'at once': agentOf('at once', deltas) }
  await withSession({ provider: () => textAnswer(deltas) }, async (session) => {
    for (let run = 0; run < runs; run++) {
      ours.push((await ourTime(session, deltas, subscribers)) / deltas)
      awaited.push((await piTime(agents.awaited, deltas, subscribers)) / deltas)
      if (subscribers === 1) piAtOnce.push((await piTime(agents['at once'], deltas, 1)) / deltas)
    }
  })
}

function agentOf(feed: PiFeed, deltas: number): PiAgent {
  return piAgent(pi, { answer: () => piText(pi, deltas, feed) })
}

async function ourTime(session: Session, deltas: number, subscribers: number): Promise<number> {
  let received = 0
  const count = ({ type }: { readonly type: string }): void => {
    if (type === 'message_update') received++
  }
  const others = Array.from({ length: subscribers - 1 }, () => session.events$.subscribe(count))
  const microseconds = await timedPrompt(session, count)
  for (const subscription of others) subscription.unsubscribe()
  checkCount(received, deltas, subscribers)
  return microseconds
}

async function piTime(agent: PiAgent, deltas: number, subscribers: number): Promise<number> {
  let received = 0
  const ends = Array.from({ length: subscribers }, () =>
    agent.subscribe(({ type }) => {
      if (type === 'message_update') received++
    }),
  )
  const microseconds = await timedPiPrompt(agent)
  for (const end of ends) end()
  checkCount(received, deltas, subscribers)
  return microseconds
}

function checkCount(received: number, deltas: number, subscribers: number): void {
  const expected = (deltas + 2) * subscribers // with the block's start and end
  if (received !== expected) throw new Error(`The subscribers received ${received} deltas of ${expected}`)
}
