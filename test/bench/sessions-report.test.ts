// Tests the report of long sessions.
import { expect, test } from 'vitest'
import { sessionsReport } from '../../bench/sessions-report.ts'
import type { LongSamples } from '../../bench/sessions-report.ts'
import type { OpenedLong } from '../../bench/sessions-program.ts'

const mebibyte = 2 ** 20

function opened(readyMs: number, gapMs: number): OpenedLong {
  const memory = { rssReady: 80 * mebibyte, rss: 90 * mebibyte, peak: 95 * mebibyte, rssBefore: 60 * mebibyte }
  return { readyMs, contextMs: 2 * readyMs, requestMs: 3 * readyMs, messages: 20, ...memory, gapMs }
}

function session(entries: number, compacted: boolean, gapMs = 0.1): LongSamples {
  const bytes = { log: 2 * mebibyte, pi: mebibyte }
  return { entries, compacted, bytes, first: [opened(100, 1)], ours: [opened(10, gapMs)], pi: [opened(400, 5)] }
}

test('compares a session with pi at the point at which pi has made its context', () => {
  const { targets } = sessionsReport({
    samples: [session(100_000, false)],
    appends: undefined,
    flatSizes: [],
    notes: [],
  })
  expect(targets.slice(1, 4)).toMatchObject([
    { what: '… with nothing kept beside its log ÷ pi', measured: 100 / 800, limit: 0.35 },
    { what: '… memory then ÷ pi', measured: 80 / 90, limit: 0.6 },
    { what: '… to its context ÷ pi', measured: 20 / 800, limit: 0.35 },
  ])
})

test('compares the gap over the compacted sessions of the named sizes only', () => {
  const samples = [
    session(100, true, 0.1),
    session(1_000, true, 9),
    session(10_000, true, 0.15),
    session(100, false, 9),
  ]
  const { targets } = sessionsReport({ samples, appends: undefined, flatSizes: [100, 10_000], notes: [] })
  expect(targets.at(-1)?.measured).toBeCloseTo(1.5)
})

test('has no ratio without pi', () => {
  const { targets } = sessionsReport({
    samples: [{ ...session(100_000, true), pi: [] }],
    appends: undefined,
    flatSizes: [100_000],
    notes: ['left out'],
  })
  expect(targets.map(({ measured }) => measured)).toEqual([...Array.from({ length: 8 }, () => undefined), 1])
})
