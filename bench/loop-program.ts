// Measures the loop and bare pipelines in turns, so that a slow phase affects all; writes JSON.
import { concatMap, map, of, share } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Session } from '../lib/session/contract/session.ts'
import type { AssistantDelta } from '../lib/streams/messages/delta.ts'
import { withSession } from './scripted-session.ts'
import { textAnswer } from './text-answer.ts'
import { timedPrompt } from './timed-prompt.ts'

/** Microseconds a delta, one figure a run. */
export interface LoopSamples {
  /** In one message; 1 shows the cost of a run without its deltas. */
  readonly deltas: number
  readonly ours: number[]
  /** `concatMap` to one inner Observable a delta, `map`, `share`. */
  readonly bare: number[]
  /** The same with one inner Observable for all. */
  readonly cheapest: number[]
  /** The source alone, which all others contain. */
  readonly source: number[]
}

const rounds = 7
const sizes = [
  { samples: newSamples(1), runs: 100 },
  { samples: newSamples(1e3), runs: 100 },
  { samples: newSamples(1e4), runs: 20 },
  { samples: newSamples(1e5), runs: 4 },
  { samples: newSamples(1e6), runs: 1 },
]

await takeSamples(newSamples(1e3), 300) // compiles hot code
for (let round = 0; round < rounds; round++) {
  for (const { samples, runs } of sizes) await takeSamples(samples, runs)
}
process.stdout.write(JSON.stringify(sizes.map(({ samples }) => samples)))

function newSamples(deltas: number): LoopSamples {
  return { deltas, ours: [], bare: [], cheapest: [], source: [] }
}

/** A session gets one prompt after the other; between two of them the others run. No run waits for the disk. */
async function takeSamples({ deltas, ours, bare, cheapest, source }: LoopSamples, runs: number): Promise<void> {
  await withSession({ provider: () => textAnswer(deltas) }, async (session) => {
    for (let run = 0; run < runs; run++) {
      ours.push((await runTime(session, deltas)) / deltas)
      bare.push(drainTime(bare$(deltas), deltas) / deltas)
      cheapest.push(drainTime(cheapest$(deltas), deltas) / deltas)
      source.push(drainTime(textAnswer(deltas), deltas) / deltas)
    }
  })
}

async function runTime(session: Session, deltas: number): Promise<number> {
  let received = 0
  const microseconds = await timedPrompt(session, (event) => {
    if (event.type === 'message_update') received++
  })
  checkCount(received, deltas + 2) // the block's start and end
  return microseconds
}

function drainTime(stream$: Observable<unknown>, deltas: number): number {
  let received = 0
  const startedAt = performance.now()
  stream$.subscribe(() => received++)
  const microseconds = (performance.now() - startedAt) * 1000
  checkCount(received, deltas + 3) // the block's start and end, and `done`
  return microseconds
}

function bare$(deltas: number): Observable<unknown> {
  return textAnswer(deltas).pipe(
    concatMap((delta) => of(delta)),
    map(toEvent),
    share(),
  )
}

function cheapest$(deltas: number): Observable<unknown> {
  return of(deltas).pipe(concatMap(textAnswer), map(toEvent), share())
}

function toEvent(delta: AssistantDelta): object {
  return { type: 'message_update', entryId: 'abcdefgh', delta }
}

function checkCount(received: number, expected: number): void {
  if (received !== expected) throw new Error(`The subscriber received ${received} deltas of ${expected}`)
}
