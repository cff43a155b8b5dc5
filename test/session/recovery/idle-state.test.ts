// Tests that a long log opened from the heads of its lines equals one that was read whole.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { saveStateSnapshot, createStateSnapshot } from '../../../lib/session/recovery/state-snapshot.ts'
import { replayLog } from '../../../lib/session/recovery/replay-log.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { sealLine } from '../../../lib/store/lines/line-checksum.ts'
import { contextMessages } from '../../../lib/streams/state/context-messages.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import { nextBody, sampleHeader } from '../../store/sessions/sample-records.ts'
import { randomOf } from '../../support/random-of.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { valuesOf } from '../../support/values-of.ts'
import { randomLog } from './random-log.ts'
import { questions, whole } from './state-questions.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-rested-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const close = (log: SessionLog) => valuesOf(log.close())
const store = () => fileStore({ home, foldFrom: 0 })
const open = () => store().open('abcdefghij23').log
const linesOf = (): string[] => readFileSync(store().fileOf('abcdefghij23'), 'utf8').trimEnd().split('\n')
const write = (lines: readonly string[]): void => {
  writeFileSync(store().fileOf('abcdefghij23'), lines.map((line) => `${line}\n`).join(''))
}

/** A log that ends after a part of its lines: often in the middle of a run. */
async function written(seed: number, steps: number, part = 1): Promise<readonly string[]> {
  rmSync(path.join(home, 'sessions'), { recursive: true, force: true })
  const log = store().create(sampleHeader())
  const grown = randomLog(log, randomOf(seed))
  grown.grow(steps)
  await close(log)
  const lines = linesOf()
  write(lines.slice(0, 1 + Math.round((lines.length - 1) * part)))
  return grown.opIds
}

const aLog = [fc.integer(), fc.integer({ min: 0, max: 25 }), fc.constantFrom(1, 1, 0.9, 0.7, 0.4)] as const
const often = { numRuns: sampleSize(25, 1_000) }
const patience = { timeout: sampleSize(20_000, 240_000) }

describe('a long session that was opened without a snapshot', () => {
  it('answers all questions as one that was read whole, wherever its log ends', patience, async () => {
    let mostRested = 0
    await fc.assert(
      fc.asyncProperty(...aLog, async (seed, steps, part) => {
        const opIds = await written(seed, steps, part)
        const log = open()
        mostRested = Math.max(mostRested, log.rested?.state.seq ?? 0)
        const [rested, read] = [replayLog(log), whole(log)]
        for (const [name, ask] of Object.entries(questions))
          expect([name, ask(rested, opIds)]).toEqual([name, ask(read, opIds)])
        await close(log)
      }),
      often,
    )
    expect(mostRested).toBeGreaterThan(50)
  })

  it('answers each of them, asked as the first', patience, async () => {
    await fc.assert(
      fc.asyncProperty(...aLog, fc.constantFrom(...Object.keys(questions)), async (seed, steps, part, name) => {
        const opIds = await written(seed, steps, part)
        const log = open()
        const ask = questions[name] ?? (() => undefined)
        expect(ask(replayLog(log), opIds)).toEqual(ask(whole(log), opIds))
        await close(log)
      }),
      often,
    )
  })

  it('can be saved as a snapshot without reading its messages', async () => {
    const opIds = await written(5, 20)
    const log = open()
    const read = vi.spyOn(log, 'entries')
    const stored = createStateSnapshot(replayLog(log))
    expect([stored?.seq, read.mock.calls]).toEqual([log.head, []])
    if (stored !== undefined) log.keep?.(stored)
    await close(log)
    const reopened = open()
    expect([reopened.kept?.seq, reopened.rested]).toEqual([reopened.head, undefined])
    const [state, folded] = [replayLog(reopened), whole(reopened)]
    for (const [name, ask] of Object.entries(questions))
      expect([name, ask(state, opIds)]).toEqual([name, ask(folded, opIds)])
    await close(reopened)
  })

  it('is read whole below the size limit', async () => {
    await written(5, 20)
    const { log } = fileStore({ home }).open('abcdefghij23')
    expect(log.rested).toBeUndefined()
    await close(log)
  })
})

describe('damage under a right checksum', () => {
  /** Replaces the last event of a type by another one; returns its line, from 1. */
  async function damage(type: string, event: object): Promise<number> {
    await written(5, 160)
    const lines = linesOf()
    const index = lines.findLastIndex((line) => line.includes(`"event":{"type":"${type}"`))
    const start = /^\{"seq":\d+,"at":\d+/.exec(lines[index] ?? '')?.[0] ?? ''
    write(lines.with(index, sealLine(`${start},"event":${JSON.stringify({ type, ...event })}`)))
    return index + 1
  }

  it.each(['turn_end', 'queue_update', 'agent_start'])('in a %s is reported on opening', async (type) => {
    const line = await damage(type, { usage: 5 })
    const log = open()
    expect(log.rested).toBeUndefined()
    replayLog(log)
    expect(log.readOnly?.message).toContain(`Line ${line} of `)
    await close(log)
  })

  it('in a message is reported when the message is read', async () => {
    await damage('message_end', { entryId: 'aaaaaaaa', parentId: null, message: { role: 'user' } })
    const before = open()
    before.append(nextBody(before, { type: 'head_moved', entryId: 'aaaaaaaa' }))
    await close(before)
    const log = open()
    const state = replayLog(log)
    expect(() => contextMessages(state)).toThrow(/damaged: its event message_end: \/message needs the field/)
    saveStateSnapshot(log, state, 'closing') // the start of the context is unknown
    await close(log)
    const reopened = open()
    expect([reopened.kept, (reopened.unkept ?? 0) > 2 ** 18]).toEqual([undefined, true])
    await close(reopened)
  })
})
