// Tests the matches of a worker that has not started when the first one begins.
import { afterEach, expect, it } from 'vitest'
import { endPatternWorker, matchInWorker } from '../../../lib/host/patterns/pattern-worker.ts'

afterEach(endPatternWorker)

it.each([
  ['^a+$', 'aaa', true],
  ['^b+$', 'aaa', false],
])('matches %s with a worker that starts meanwhile', (pattern, text, matched) => {
  endPatternWorker()
  expect(matchInWorker(pattern, text, 20_000, { startMs: 0 }).matched).toBe(matched)
})
