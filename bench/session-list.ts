// A list of 1,000 sessions: from the files alone, from the index, and when one of them has grown.
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import { fileStore } from '../lib/store/index.ts'
import type { FileStore } from '../lib/store/index.ts'
import { lineBody } from '../lib/streams/log/line-event.ts'
import type { AgentEvent } from '../lib/streams/events/event.ts'
import { countedIds } from '../lib/testing/counted-ids.ts'
import type { Benchmark, Report } from './report.ts'
import { usage } from './text-answer.ts'
import { median } from './statistics.ts'

const count = 1_000
const messages = 40
const rounds = 9
const createdAt = 1_700_000_000_000

export const sessionList: Benchmark = {
  name: 'list',
  about: `a list of ${count} sessions of ${messages} messages in one folder`,
  run: async ({ folder }) => {
    const home = path.join(folder, 'home')
    const writing = fileStore({ home })
    const ids = countedIds()
    const sessions = Array.from({ length: count }, () => ids.session())
    for (const [index, id] of sessions.entries()) await write(writing, folder, id, createdAt + index)
    const store = fileStore({ home })
    const cold = await timed(store, folder)
    const warm = await repeated(() => timed(store, folder))
    const grown = await repeated(async (round) => {
      const { log } = store.open(sessions[round] ?? '')
      log.append(lineBody({ seq: log.head + 1, at: createdAt, event: messageEnd(messages) }))
      await lastValueFrom(log.close(), { defaultValue: undefined })
      return timed(store, folder)
    })
    return report(cold, warm, grown)
  },
}

/** Milliseconds of one list. @throws if it is incomplete */
async function timed(store: FileStore, cwd: string): Promise<number> {
  const began = performance.now()
  const { logs, problems } = await lastValueFrom(store.list(cwd), { defaultValue: { logs: [], problems: [] } })
  if (logs.length !== count || problems.length > 0) throw new Error(`the list has ${logs.length}: ${problems.join()}`)
  return performance.now() - began
}

async function repeated(measure: (round: number) => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await measure(round))
  return times
}

async function write(store: FileStore, cwd: string, id: string, at: number): Promise<void> {
  const log = store.create({ id, createdAt: at, cwd })
  for (let index = 0; index < messages; index += 1) {
    log.append(lineBody({ seq: index + 1, at: at + index, event: messageEnd(index) }))
  }
  await lastValueFrom(log.close(), { defaultValue: undefined })
}

function messageEnd(index: number): AgentEvent {
  const entry = { type: 'message_end', entryId: `aaaaaa${entryEnd(index)}`, parentId: null } as const
  const text = 'Some words of an answer. '.repeat(40)
  const answer = { api: 'bench', provider: 'bench', model: 'bench', usage, stopReason: 'stop', timestamp: 1 } as const
  if (index % 2 === 0) return { ...entry, message: { role: 'user', content: `Prompt ${index}`, timestamp: 1 } }
  return { ...entry, message: { role: 'assistant', content: [{ type: 'text', text }], ...answer } }
}

const letters = 'abcdefghijklmnopqrstuvwxyz234567'

function entryEnd(index: number): string {
  return `${letters[Math.floor(index / 32) % 32] ?? ''}${letters[index % 32] ?? ''}`
}

function report(cold: number, warm: readonly number[], grown: readonly number[]): Report {
  return {
    tables: [
      {
        title: 'milliseconds of one list',
        columns: [{ title: 'list' }, { title: 'times' }, { title: 'ms', digits: 1 }],
        rows: [
          ['cold: no index, every log read', 1, cold],
          ['warm: nothing has changed', warm.length, median(warm)],
          ['one session has grown, the index is written', grown.length, median(grown)],
        ],
      },
    ],
    targets: [{ what: `warm list of ${count} sessions`, measured: median(warm), limit: 100, unit: 'ms' }],
    notes: ['the files are in the page cache: they were just written'],
  }
}
