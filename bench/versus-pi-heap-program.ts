// Measures the memory of a session or pi's agent after one long message; writes JSON.
// Arguments: `ours` or `pi`, and pi's packages.
import { liveHeap } from './live-heap.ts'
import { piAgent, timedPiPrompt } from './pi-agent.ts'
import { loadPi } from './pi-core.ts'
import { piText } from './pi-text.ts'
import { withSession } from './scripted-session.ts'
import { textAnswer } from './text-answer.ts'
import { textPiece } from './text-piece.ts'
import { timedPrompt } from './timed-prompt.ts'

/** Bytes above the heap before the message. */
export interface HeldHeap {
  readonly deltas: number
  /** One byte a character. */
  readonly text: number
  /** The run has ended; session or agent exist, with the message in their transcript. */
  readonly ended: number
}

const deltas = 1e6
const measure = process.argv[2] === 'pi' ? piHeap : ourHeap

await measure(1e4) // objects that exist once
const heap: HeldHeap = { deltas, text: deltas * textPiece(0).length, ended: await measure(deltas) }
process.stdout.write(JSON.stringify(heap))

function ourHeap(count: number): Promise<number> {
  return withSession({ provider: () => textAnswer(count) }, async (session, synced) => {
    const before = liveHeap()
    await timedPrompt(session)
    await synced()
    return liveHeap() - before
  })
}

async function piHeap(count: number): Promise<number> {
  const pi = await loadPi(process.argv[3] ?? '')
  const agent = piAgent(pi, { answer: () => piText(pi, count, 'awaited') })
  const before = liveHeap()
  let received = 0
  agent.subscribe(() => received++)
  await timedPiPrompt(agent)
  if (received < count) throw new Error(`The listener received ${received} events of ${count}`)
  const ended = liveHeap() - before
  return agent.state.errorMessage === undefined ? ended : Number.NaN // the agent must live until here
}
