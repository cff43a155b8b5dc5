// Measures the cost of a slow listener for the run, ours and pi's in turns; writes JSON.
// Argument: pi's packages.
import { setTimeout as sleep } from 'node:timers/promises'
import { concatMap, timer } from 'rxjs'
import type { Session } from '../lib/session/contract/session.ts'
import { piAgent, timedPiPrompt } from './pi-agent.ts'
import { loadPi } from './pi-core.ts'
import type { PiListener } from './pi-core.ts'
import { piText } from './pi-text.ts'
import { withSession } from './scripted-session.ts'
import { textAnswer } from './text-answer.ts'
import { timedPrompt } from './timed-prompt.ts'

/** Milliseconds that a run takes, one figure a run. */
export interface ListenerTimes {
  readonly ours: number[]
  readonly pi: number[]
}

export interface ListenerSamples {
  readonly deltas: number
  /** Only a subscriber that counts. */
  readonly alone: ListenerTimes
  /** And one that waits for 1 ms at each event. */
  readonly waiting: ListenerTimes
  /** And one that computes for 1 ms at each event. */
  readonly busy: ListenerTimes
}

const deltas = 1_000
const rounds = 5
const ourRuns = 20

const pi = await loadPi(process.argv[2] ?? '')
const samples: ListenerSamples = { deltas, alone: newTimes(), waiting: newTimes(), busy: newTimes() }

for (let run = 0; run < 300; run++) {
  await ourTime() // compiles hot code
  await ourTime(waitingConsumer)
  await piTime()
}
for (let round = 0; round < rounds; round++) {
  for (let run = 0; run < ourRuns; run++) {
    samples.alone.ours.push(await ourTime())
    samples.waiting.ours.push(await ourTime(waitingConsumer))
    samples.alone.pi.push(await piTime())
  }
  samples.waiting.pi.push(await piTime(() => sleep(1)))
  samples.busy.ours.push(await ourTime(busyConsumer))
  samples.busy.pi.push(await piTime(compute))
}
process.stdout.write(JSON.stringify(samples))

function newTimes(): ListenerTimes {
  return { ours: [], pi: [] }
}

/** Consumes events and returns a function that stops it: its waiting events would outlive the run by a second. */
type Consumer = (session: Session) => () => void

function waitingConsumer({ events$ }: Session): () => void {
  const subscription = events$.pipe(concatMap(() => timer(1))).subscribe()
  return () => {
    subscription.unsubscribe()
  }
}

function busyConsumer({ events$ }: Session): () => void {
  const subscription = events$.subscribe(compute)
  return () => {
    subscription.unsubscribe()
  }
}

function compute(): void {
  const startedAt = performance.now()
  while (performance.now() - startedAt < 1);
}

function ourTime(consumer?: Consumer): Promise<number> {
  return withSession({ provider: () => textAnswer(deltas) }, async (session) => {
    const end = consumer?.(session)
    let received = 0
    const microseconds = await timedPrompt(session, ({ type }) => {
      if (type === 'message_update') received++
    })
    end?.()
    checkCount(received)
    return microseconds / 1000
  })
}

async function piTime(listener?: PiListener): Promise<number> {
  const agent = piAgent(pi, { answer: () => piText(pi, deltas, 'awaited') })
  if (listener !== undefined) agent.subscribe(listener)
  let received = 0
  agent.subscribe(({ type }) => {
    if (type === 'message_update') received++
  })
  const microseconds = await timedPiPrompt(agent)
  checkCount(received)
  return microseconds / 1000
}

function checkCount(received: number): void {
  if (received !== deltas + 2) throw new Error(`The subscriber received ${received} deltas of ${deltas + 2}`)
}
