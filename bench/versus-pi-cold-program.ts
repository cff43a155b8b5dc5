// Measures the first message of a process without warm-up; writes JSON.
// Arguments: `ours` and the folder of the built library, `pi` and its packages, or `bare`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { lastValueFrom } from 'rxjs'
import { timedBareRun } from './bare-loop.ts'
import { piAgent, timedPiPrompt } from './pi-agent.ts'
import { loadPi } from './pi-core.ts'
import { piText } from './pi-text.ts'
import { benchModel, textAnswer } from './text-answer.ts'
import { timedPrompt } from './timed-prompt.ts'

export interface ColdMessage {
  readonly deltas: number
  /** Microseconds a delta. */
  readonly time: number
  /** Milliseconds from the program's first statement to the first message's end: import, set-up and message. */
  readonly ready: number
}

const deltas = 1_000
const [, , which, folder = ''] = process.argv

const startedAt = performance.now()
let received = 0
const microseconds = await timeOf(which)(({ type }) => {
  if (type === 'message_update') received++
})
const ready = performance.now() - startedAt
if (received !== deltas + 2) throw new Error(`The subscriber received ${received} deltas of ${deltas + 2}`)
process.stdout.write(JSON.stringify({ deltas, time: microseconds / deltas, ready } satisfies ColdMessage))

type Listener = (event: { readonly type: string }) => void

function timeOf(name = ''): (listener: Listener) => Promise<number> {
  switch (name) {
    case 'ours':
      return (listener) => inFolder((home) => ourTime(home, listener))
    case 'pi':
      return piTime
    case 'bare':
      return (listener) => inFolder((home) => timedBareRun(home, () => textAnswer(deltas), listener))
    default:
      throw new Error(`There is no "${name}" to measure`)
  }
}

/** Like a user's program. */
async function ourTime(home: string, listener: Listener): Promise<number> {
  const load = (name: string): Promise<unknown> => import(pathToFileURL(path.join(folder, `${name}.js`)).href)
  const { createSession } = (await load('index')) as typeof import('../lib/index.ts')
  const { fileStore } = (await load('store')) as typeof import('../lib/store/index.ts')
  const session = createSession({
    model: { model: benchModel, provider: () => textAnswer(deltas) },
    tools: [],
    system: 'bench',
    store: fileStore({ home }),
    cwd: home,
    approve: 'auto',
  })
  const time = await timedPrompt(session, listener)
  await lastValueFrom(session.close(), { defaultValue: undefined })
  return time
}

async function inFolder(use: (home: string) => Promise<number>): Promise<number> {
  const home = mkdtempSync(path.join(tmpdir(), 'rxpi-bench-cold-'))
  try {
    return await use(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function piTime(listener: Listener): Promise<number> {
  const pi = await loadPi(folder)
  const agent = piAgent(pi, { answer: () => piText(pi, deltas, 'awaited') })
  agent.subscribe(listener)
  return timedPiPrompt(agent)
}
