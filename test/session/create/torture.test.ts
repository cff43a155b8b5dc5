// Tests that a killed process loses nothing that it acknowledged or showed.
// `npm run torture` kills it 200 times.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { verifyLog } from '../../../lib/store/repair/verify-log.ts'
import { checkpointDelayMs } from '../../../lib/operators/record/checkpoint-joiner.ts'
import type { AssistantContent } from '../../../lib/streams/messages/message.ts'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import { faultsOfRun } from '../../support/laws.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { valuesOf } from '../../support/values-of.ts'
import type { TortureLine } from './torture-lines.ts'
import { done } from '../../support/done.ts'
import { withCompileCache } from '../../support/compile-cache.ts'

const kills = Number(process.env['RXPI_TORTURE'] ?? sampleSize(2, 50))
const sessions = 2
const program = fileURLToPath(new URL('./torture-process.ts', import.meta.url))
/** The delay that a loaded machine adds to the 250 ms of a timer, which fires before the timers of later deltas. */
const slackMs = 100

let home: string
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-torture-'))
})
afterAll(() => rmSync(home, { recursive: true }))

/** Runs the process and kills it `afterMs` after its first line; returns all that it reported. */
async function killed(session: string | undefined, afterMs: number): Promise<TortureLine[]> {
  const args = [program, home, ...(session === undefined ? [] : [session])]
  const child = spawn(process.execPath, args, { env: withCompileCache(), stdio: ['ignore', 'pipe', 'inherit'] })
  const notices: TortureLine[] = []
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (notices.length === 0) setTimeout(() => child.kill('SIGKILL'), afterMs)
      notices.push(JSON.parse(line) as TortureLine)
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    expect(child.signalCode).toBe('SIGKILL')
    return notices
  } finally {
    child.kill('SIGKILL')
  }
}

/** Opens the session after the kill and lists its faults, while it is open: entries are read from the file. */
async function opened(sessionId: string, notices: readonly TortureLine[]) {
  const store = fileStore({ home })
  const session = createSession({
    model: { model: scriptedModel, provider: scripted([]) },
    cwd: home,
    env: {},
    tools: [],
    store,
    sessionId,
  })
  const records = [...session.logged()]
  const faults = faultsOf(notices, records, session.state$.value)
  await valuesOf(session.close())
  return { faults, verdict: done(verifyLog(store.fileOf(sessionId))) }
}

function faultsOf(notices: readonly TortureLine[], records: readonly SessionRecord[], state: SessionState): string[] {
  const lines = new Map(records.map(({ seq, line }) => [seq, line]))
  const output = [...state.entries.values()].flatMap(({ message }) =>
    message.role === 'user' ? [message.content] : [],
  )
  const known = [...output, ...state.queue.map(({ content }) => content)]
  const runs = Map.groupBy(records, ({ runId }) => runId)
  runs.delete(undefined)
  return [
    ...notices.flatMap((each) => {
      if ('acknowledged' in each) {
        const times = known.filter((content) => content === each.acknowledged).length
        return times === 1 ? [] : [`"${each.acknowledged}" was acknowledged and is there ${times} times`]
      }
      return 'seq' in each && lines.get(each.seq) !== each.line ? [`event ${each.seq} was seen and is another now`] : []
    }),
    ...[...runs.values()].flatMap((run) => faultsOfRun(run.map(({ event }) => event))),
    ...lostAnswer(notices, state),
  ]
}

/** Lists answer text that was lost though older than 250 ms. While the process stood still, its timer did too. */
function lostAnswer(notices: readonly TortureLine[], state: SessionState): string[] {
  const all = notices.flatMap((each) => ('entryId' in each ? [each] : []))
  const last = all.at(-1)
  if (last === undefined) return []
  const pieces = all.filter(({ entryId }) => entryId === last.entryId)
  const stoodStillMs = Math.max(0, ...pieces.slice(1).map(({ at }, index) => at - (pieces[index]?.at ?? at)))
  const due = pieces.filter(({ at }) => at < last.at - checkpointDelayMs - slackMs - stoodStillMs)
  const message = state.entries.get(last.entryId)?.message
  const content = message?.role === 'assistant' ? message.content : []
  return due.flatMap(({ contentIndex, length }) => {
    const stored = lengthOf(content[contentIndex])
    return stored < length ? [`of ${length} units ${stored} are left`] : []
  })
}

function lengthOf(block: AssistantContent | undefined): number {
  switch (block?.type) {
    case 'text':
      return block.text.length
    case 'thinking':
      return block.thinking.length
    case 'toolCall':
      return (block.argumentsText ?? JSON.stringify(block.arguments)).length
    default:
      return 0
  }
}

async function torture(count: number): Promise<unknown[]> {
  const faulty: unknown[] = []
  let sessionId: string | undefined
  let before: TortureLine[] = []
  for (let kill = 1; kill <= count; kill += 1) {
    const notices = await killed(sessionId, Math.floor(Math.random() * 700))
    const [first] = notices
    sessionId ??= first !== undefined && 'session' in first ? first.session : undefined
    if (sessionId === undefined) throw new Error('the process said nothing of its session')
    before = [...before.filter((each) => 'acknowledged' in each || 'seq' in each), ...notices]
    const { faults, verdict } = await opened(sessionId, before)
    if (faults.length > 0 || !verdict.clean) faulty.push({ kill, faults: faults.slice(0, 5), verdict })
  }
  return faulty
}

it(
  `${kills} killed processes lose nothing, and the next one continues [LOG-written]`,
  async () => {
    const each = Math.ceil(kills / sessions)
    const faulty = await Promise.all(Array.from({ length: sessions }, () => torture(each)))
    expect(faulty.flat().slice(0, 3)).toEqual([])
  },
  20_000 + kills * 6_000,
)
