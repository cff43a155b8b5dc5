// Measures the first message of a process, nothing compiled yet; writes JSON. Arguments: `ours` or `pi`, and pi's packages.
import { piAgent, timedPiPrompt } from './pi-agent.ts'
import { loadPi } from './pi-core.ts'
import { piText } from './pi-text.ts'
import { textAnswer, withSession } from './scripted-session.ts'
import { timedPrompt } from './timed-prompt.ts'

export interface ColdMessage {
  readonly deltas: number
  /** Microseconds a delta. */
  readonly time: number
}

const deltas = 1_000
const measure = process.argv[2] === 'pi' ? piTime : ourTime

let told = 0
const microseconds = await measure(({ type }) => {
  if (type === 'message_update') told++
})
if (told !== deltas + 2) throw new Error(`The subscriber was told ${told} deltas of ${deltas + 2}`)
process.stdout.write(JSON.stringify({ deltas, time: microseconds / deltas } satisfies ColdMessage))

type Listener = (event: { readonly type: string }) => void

function ourTime(listener: Listener): Promise<number> {
  return withSession({ provider: () => textAnswer(deltas) }, (session) => timedPrompt(session, listener))
}

async function piTime(listener: Listener): Promise<number> {
  const pi = await loadPi(process.argv[3] ?? '')
  const agent = piAgent(pi, { answer: () => piText(pi, deltas, 'awaited') })
  agent.subscribe(listener)
  return timedPiPrompt(agent)
}
