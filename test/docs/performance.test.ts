// docs/performance.md is what the kept results give, and no row of it stands there without a figure or, where it was missed, a reason.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { performancePage } from '../../bench/page/performance-page.ts'
import { shortfalls } from '../../bench/page/shortfalls.ts'
import { keptResults } from '../../bench/page/write-page.ts'

// before the first whole run there is neither
const isMeasured = existsSync('bench/results.json') || existsSync('docs/performance.md')

describe.runIf(isMeasured)('docs/performance.md', () => {
  it('is what the results give', () => {
    expect(readFileSync('docs/performance.md', 'utf8')).toBe(performancePage(keptResults()))
  })

  it('has a figure for every row that was wanted', () => {
    expect(performancePage(keptResults())).not.toContain('not measured |')
  })

  it('says why each target was missed', () => {
    expect(performancePage(keptResults())).not.toContain('not explained yet')
  })

  it.each(shortfalls.map(({ benchmark, target }) => [benchmark, target]))(
    'has the target of %s whose shortfall is explained: %s',
    (benchmark, target) => {
      const found = keptResults().benchmarks.find(({ name }) => name === benchmark)
      expect(found?.report?.targets.map(({ what }) => what)).toContain(target)
    },
  )
})
