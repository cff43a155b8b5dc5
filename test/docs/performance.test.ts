// Tests that docs/performance.md matches the stored results and explains missed targets.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { performancePage } from '../../bench/page/performance-page.ts'
import { shortfalls } from '../../bench/page/shortfalls.ts'
import { storedResults } from '../../bench/page/write-page.ts'

// before the first whole run neither exists
const isMeasured = existsSync('bench/results.json') || existsSync('docs/performance.md')

describe.runIf(isMeasured)('docs/performance.md', () => {
  it('matches the results', () => {
    expect(readFileSync('docs/performance.md', 'utf8')).toBe(performancePage(storedResults()))
  })

  it('has a figure for every wanted row', () => {
    expect(performancePage(storedResults())).not.toContain('not measured |')
  })

  it('has a reason for each missed target', () => {
    expect(performancePage(storedResults())).not.toContain('not explained yet')
  })

  it.each(shortfalls.map(({ benchmark, target }) => [benchmark, target]))(
    'has the target of %s with its explanation: %s',
    (benchmark, target) => {
      const found = storedResults().benchmarks.find(({ name }) => name === benchmark)
      expect(found?.report?.targets.map(({ what }) => what)).toContain(target)
    },
  )
})
