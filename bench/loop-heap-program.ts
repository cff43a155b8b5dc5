// Measures the memory of a long message while it streams and afterwards; writes JSON.
// Argument: the number of subscribers.
import { liveHeap } from './live-heap.ts'
import { withSession } from './scripted-session.ts'
import { textAnswer } from './text-answer.ts'
import { timedPrompt } from './timed-prompt.ts'

/** Bytes above the heap before the message. */
export interface LoopHeap {
  readonly deltas: number
  readonly subscribers: number
  readonly half: number
  readonly end: number
  /** With the session open: the message is in its transcript. */
  readonly settled: number
  readonly closed: number
}

const deltas = 1e6
const subscribers = Number(process.argv[2])

await measured(1e4) // objects that exist once
const before = liveHeap()
const whileOpen = await measured(deltas)
const heap: LoopHeap = { deltas, subscribers, ...whileOpen, closed: liveHeap() - before }
process.stdout.write(JSON.stringify(heap))

async function measured(count: number): Promise<Pick<LoopHeap, 'half' | 'end' | 'settled'>> {
  return withSession({ provider: () => textAnswer(count) }, async (session, synced) => {
    const start = liveHeap()
    const growth = (): number => liveHeap() - start
    let received = 0
    let half = 0
    let end = 0
    for (let subscriber = 1; subscriber < subscribers; subscriber++) session.events$.subscribe()
    await timedPrompt(session, ({ type }) => {
      if (type !== 'message_update') return
      received++
      if (received === Math.floor(count / 2)) half = growth()
      if (received === count) end = growth()
    })
    await synced()
    return { half, end, settled: growth() }
  })
}
