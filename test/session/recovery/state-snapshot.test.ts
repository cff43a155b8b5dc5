// Tests that a session opened from its saved state equals one that was read whole.
import { mkdtempSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createStateSnapshot } from '../../../lib/session/recovery/state-snapshot.ts'
import { replayLog } from '../../../lib/session/recovery/replay-log.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import { sampleHeader } from '../../store/sessions/sample-records.ts'
import { randomOf } from '../../support/random-of.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { valuesOf } from '../../support/values-of.ts'
import { randomLog } from './random-log.ts'
import type { RandomLog } from './random-log.ts'
import { questions, whole } from './state-questions.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-kept-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const close = (log: SessionLog) => valuesOf(log.close())
const open = () => fileStore({ home }).open('abcdefghij23').log
const fileNamed = (end: string): string => {
  const [folder = ''] = readdirSync(path.join(home, 'sessions'))
  const found = readdirSync(path.join(home, 'sessions', folder)).find((name) => name.endsWith(end))
  return path.join(home, 'sessions', folder, found ?? `no ${end}`)
}

/** Grows a log, saves its session's state, and grows the log further. */
async function written(
  seed: number,
  before: number,
  after: number,
): Promise<Pick<RandomLog, 'opIds'> & { readonly storedSeq: number }> {
  rmSync(path.join(home, 'sessions'), { recursive: true, force: true })
  const log = fileStore({ home }).create(sampleHeader())
  const grown = randomLog(log, randomOf(seed))
  grown.grow(before)
  const stored = createStateSnapshot(grown.state)
  if (stored === undefined) throw new Error('No run is on')
  log.keep?.(stored)
  grown.grow(after)
  await close(log)
  return { opIds: grown.opIds, storedSeq: stored.seq }
}

const aLog = [fc.integer(), fc.integer({ min: 0, max: 25 }), fc.integer({ min: 0, max: 12 })] as const
const often = { numRuns: sampleSize(25, 1_000) }

describe('a session that was opened at its end', () => {
  it('answers all queries like one that was read whole', async () => {
    await fc.assert(
      fc.asyncProperty(...aLog, async (seed, before, after) => {
        const { opIds, storedSeq } = await written(seed, before, after)
        const log = open()
        expect(log.kept?.seq ?? 0).toBe(storedSeq)
        const [stored, read] = [replayLog(log), whole(log)]
        for (const [name, ask] of Object.entries(questions))
          expect([name, ask(stored, opIds)]).toEqual([name, ask(read, opIds)])
        await close(log)
      }),
      often,
    )
  })

  it('answers each query when it is the first one', async () => {
    await fc.assert(
      fc.asyncProperty(...aLog, fc.constantFrom(...Object.keys(questions)), async (seed, before, after, name) => {
        const { opIds } = await written(seed, before, after)
        const log = open()
        const ask = questions[name] ?? (() => undefined)
        expect(ask(replayLog(log), opIds)).toEqual(ask(whole(log), opIds))
        await close(log)
      }),
      often,
    )
  })

  it('can be saved again, with the new entries', async () => {
    const { opIds } = await written(5, 20, 5)
    const log = open()
    const again = createStateSnapshot(replayLog(log))
    if (again !== undefined) log.keep?.(again)
    await close(log)
    const reopened = open()
    expect(reopened.kept?.seq).toBe(reopened.head)
    const [stored, read] = [replayLog(reopened), whole(reopened)]
    for (const [name, ask] of Object.entries(questions))
      expect([name, ask(stored, opIds)]).toEqual([name, ask(read, opIds)])
    await close(reopened)
  })
})

describe('a snapshot is ignored', () => {
  const cases: Record<string, () => unknown> = {
    'if it is truncated': () => {
      const file = fileNamed('.state')
      truncateSync(file, readFileSync(file).length - 1)
    },
    'if a bit of it flipped': () => {
      const bytes = readFileSync(fileNamed('.state'))
      bytes[40] = (bytes[40] ?? 0) ^ 1
      writeFileSync(fileNamed('.state'), bytes)
    },
    'if it is empty': () => {
      truncateSync(fileNamed('.state'), 0)
    },
    'if the log is shorter': () => {
      const lines = readFileSync(fileNamed('.jsonl'), 'utf8').split('\n')
      writeFileSync(fileNamed('.jsonl'), [...lines.slice(0, 20), ''].join('\n'))
    },
    'if it belongs to another log': async () => {
      const state = readFileSync(fileNamed('.state'))
      rmSync(path.join(home, 'sessions'), { recursive: true })
      const log = fileStore({ home }).create(sampleHeader({ cwd: '/' }))
      randomLog(log, randomOf(8)).grow(40)
      await close(log)
      writeFileSync(fileNamed('.jsonl').replace(/jsonl$/, 'state'), state)
    },
  }
  it.each(Object.entries(cases))('%s', async (_, change) => {
    await written(7, 20, 0)
    await change()
    const log = open()
    expect([log.kept, log.readOnly]).toEqual([undefined, undefined])
    expect(transcript(replayLog(log))).toEqual(transcript(whole(log)))
    await close(log)
  })
})
