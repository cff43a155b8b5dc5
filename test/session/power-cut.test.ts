// Tests that a machine which loses power keeps all that was acknowledged.
// 2,000 seeds in `npm run test:full`, a sample in `npm test`.
import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileStore } from '../../lib/store/sessions/file-store.ts'
import type { FileStore } from '../../lib/store/sessions/file-store.ts'
import { repairLog } from '../../lib/store/repair/repair-log.ts'
import { verifyLog } from '../../lib/store/repair/verify-log.ts'
import { loadContent } from '../../lib/streams/log/externalise-content.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import { mapParts } from '../../lib/streams/events/map-parts.ts'
import type { UserContent } from '../../lib/streams/messages/message.ts'
import type { SessionLog } from '../../lib/streams/ports/session-log.ts'
import type { LosingMode } from '../store/disk/surviving-bytes.ts'
import { faultsOfRun } from '../support/laws.ts'
import { randomOf } from '../support/random-of.ts'
import { sampleSize } from '../support/sample-size.ts'
import { valuesOf } from '../support/values-of.ts'
import { playSession } from '../support/virtual-session.ts'
import type { PlayedSession } from '../support/virtual-session.ts'
import {
  live,
  logsBelow,
  nothingNotices,
  openedOrCreated,
  powerCutScene,
  removeUntold,
  sessionId,
} from './contract/power-cut-life.ts'
import type { Life, Notices } from './contract/power-cut-life.ts'
import { done } from '../support/done.ts'

const seeds = sampleSize(8, 2_000)

let top: string
beforeAll(() => {
  top = mkdtempSync(path.join(tmpdir(), 'rxpi-power-'))
})
afterAll(() => rmSync(top, { recursive: true }))

/** Leaves the worst side files of a killed process: its locks and a corrupt index. */
function leaveSideFiles(file: string, random: () => number): void {
  const dead = '{"pid":1,"startTime":"1","bootId":"00000000-0000-4000-8000-000000000000"}\n'
  for (const name of [`${file}.lock.new`, `${file}.lock.takeover`, path.join(path.dirname(file), 'index.json')]) {
    if (random() >= 0.2) continue
    writeFileSync(name, dead.slice(0, Math.floor(random() * 200)), { mode: 0o600 })
    utimesSync(name, 1, 1)
  }
}

interface Found {
  readonly faults: readonly string[]
  readonly wasReadOnly: boolean
}

/** Opens the session after the restart, sends commands, and returns all faults. */
async function checked({ notices, home, seed, mode }: Omit<Life, 'random'>): Promise<Found> {
  const store = fileStore({ home: path.join(home, 'rxpi') })
  removeUntold(home, notices)
  const wasReadOnly = await damaged(store, notices)
  // a log can look damaged only if the disk wrote later blocks and lost an earlier one
  if (wasReadOnly && mode === 'ordered') return { faults: ['it is read-only'], wasReadOnly }
  if (wasReadOnly) renameSync(done(repairLog(store.fileOf(sessionId))).repaired ?? '', store.fileOf(sessionId))
  const log = openedOrCreated(store, notices)
  const head = log.head
  const lines = new Map([...log.records()].map(({ seq, line }) => [seq, line]))
  const missing = [...notices.lines].filter(([seq, line]) => seq <= notices.durable && lines.get(seq) !== line)
  const images = faultsOfImages(log, notices)
  const played = goesOn(log, notices, seed)
  const runs = faultsOfRuns(played, wasReadOnly)
  await valuesOf(played.session.close())
  const verdict = done(verifyLog(store.fileOf(sessionId)))
  const faults = [
    ...missing.map(([seq, line]) => `line ${seq} was acknowledged: ${line} and is ${lines.get(seq) ?? 'gone'}`),
    ...(notices.durable > head ? [`${notices.durable} lines were acknowledged and ${head} are there`] : []),
    ...runs,
    ...faultsOfAnswers(played, notices),
    ...images,
    // an unacknowledged image may be lost although the line that names it is there
    ...verdict.damages.flatMap(({ kind, line, problem }) => (kind === 'blob' ? [] : [`line ${line}: ${problem}`])),
  ]
  return { faults, wasReadOnly }
}

async function damaged(store: FileStore, notices: Notices): Promise<boolean> {
  try {
    const { log } = store.open(sessionId)
    await valuesOf(log.close())
    return log.readOnly !== undefined
  } catch (thrown) {
    if (notices.exists) throw thrown
    // its creation was not acknowledged: the log may be missing, or hold only a part of line 1
    expect(thrown).toBeInstanceOf(Failure)
    expect(['unknown_session', 'read_only']).toContain((thrown as Failure).code)
    for (const { file } of (await valuesOf(store.list())).flatMap(({ logs }) => logs)) rmSync(file)
    return false
  }
}

/** Sends all answered commands once more, then a prompt. */
function goesOn(log: SessionLog, notices: Notices, seed: string): PlayedSession {
  const repeated = [...notices.answers].map(([opId, { command }]) => ({ opId, command }))
  return playSession(
    powerCutScene(log, {
      at: {
        1: ({ send }) => {
          for (const { opId, command } of repeated) send(command, { opId })
        },
        2: ({ send }) => void send({ type: 'prompt', text: `last ${seed}` }),
      },
    }),
  )
}

/** Checks law 5; a run from which a repair removed lines is exempt. */
function faultsOfRuns({ session }: PlayedSession, wasRepaired: boolean): string[] {
  const runs = Map.groupBy(session.logged(), ({ runId }) => runId)
  runs.delete(undefined)
  const whole = [...runs.values()].slice(wasRepaired ? -1 : 0)
  return whole.flatMap((run) => faultsOfRun(run.map(({ event }) => event)))
}

/** Checks that each repeated command gets the same response, each input is there once, and the last prompt ran. */
function faultsOfAnswers({ session, sent }: PlayedSession, notices: Notices): string[] {
  const { entries, queue } = session.state$.value
  const output = [...entries.values()].flatMap(({ message }) => (message.role === 'user' ? [message.content] : []))
  const known = [...output, ...queue.map(({ content }) => content)].map(textOf)
  const answers = [...notices.answers.values()]
  const last = sent.at(-1)
  const lastIsStarted = last?.result !== undefined && 'status' in last.result && last.result.status === 'started'
  return [
    ...answers.flatMap(({ command, result }, index) => {
      const again = sent[index]
      const same = JSON.stringify(again?.result) === JSON.stringify(result)
      const times = 'text' in command ? known.filter((content) => content === command.text).length : 1
      if (times !== 1) return [`${JSON.stringify(command)} is there ${times} times`]
      return same
        ? []
        : [`${JSON.stringify(command)} is answered ${JSON.stringify(again?.result)} (${String(again?.failure)})`]
    }),
    ...(lastIsStarted ? [] : [`no prompt: ${String(last?.failure)}`]),
  ]
}

function textOf(content: string | readonly UserContent[]): string {
  if (typeof content === 'string') return content
  const [first] = content
  return first?.type === 'text' ? first.text : ''
}

/** Checks that every image of an answered input is there, byte for byte. */
function faultsOfImages(log: SessionLog, notices: Notices): string[] {
  const { blobs } = log
  const there = new Set<string>()
  const back = blobs && loadContent(blobs, () => undefined)
  for (const { event } of back === undefined ? [] : log.records())
    mapParts(event, (part, origin) => {
      const whole = back?.(part, origin)
      if (whole?.type === 'image') there.add(whole.data ?? '')
      return part
    })
  const wanted = [...notices.answers.values()].flatMap(({ command }) =>
    'images' in command ? (command.images ?? []) : [],
  )
  return wanted.flatMap(({ data = '' }) => (there.has(data) ? [] : [`an image of ${data.length} characters is gone`]))
}

/** Plays one to three lives, each on the files that the previous one left. */
async function afterPowerCuts(seed: number, mode: LosingMode): Promise<Found> {
  const random = randomOf(seed)
  const folder = mkdtempSync(path.join(top, 'seed-'))
  let notices = nothingNotices()
  let home = path.join(folder, 'life-0')
  mkdirSync(home)
  const lives = 1 + Math.floor(random() * 3)
  for (let number = 1; number <= lives; number += 1) {
    const next = path.join(folder, `life-${number}`)
    notices = live({ seed: `${seed}-${number}`, home, random, mode, notices }, next)
    home = next
    for (const file of logsBelow(home)) leaveSideFiles(file, random)
    if (mode === 'unordered') break // the next life may need a repair first
  }
  const found = await checked({ seed: String(seed), home, mode, notices })
  rmSync(folder, { recursive: true })
  return found
}

describe(`a power cut at a random operation, ${seeds} seeds`, () => {
  it.each(['ordered', 'unordered'] as const)(
    'loses no acknowledged event, and the session continues: %s [LOG-durable]',
    async (mode) => {
      const faulty: unknown[] = []
      let readOnly = 0
      for (let seed = 1; seed <= seeds / 2; seed += 1) {
        const { faults, wasReadOnly } = await afterPowerCuts(seed, mode).catch((error: unknown) => ({
          faults: [String(error)],
          wasReadOnly: false,
        }))
        if (wasReadOnly) readOnly += 1
        if (faults.length > 0) faulty.push({ seed, faults: faults.slice(0, 3) })
      }
      expect(faulty.slice(0, 5)).toEqual([])
      if (mode === 'ordered') expect(readOnly).toBe(0)
    },
    60_000 + seeds * 1_000,
  )
})
