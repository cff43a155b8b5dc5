// Tests the page of figures: every wanted row, missed targets with reasons, failed benchmarks.
import { expect, it } from 'vitest'
import { performancePage } from '../../../bench/page/performance-page.ts'
import { shortfalls } from '../../../bench/page/shortfalls.ts'
import type { BenchmarkResult, Results } from '../../../bench/page/results.ts'
import { wantedRows } from '../../../bench/page/wanted-rows.ts'
import type { Target } from '../../../bench/report.ts'

const start = (...targets: Target[]): BenchmarkResult => ({
  name: 'start',
  about: 'starts',
  minutes: 1,
  report: { tables: [], targets, notes: ['a note'] },
})
const results = (...benchmarks: BenchmarkResult[]): Results => ({
  date: '2026-01-02T03:04Z',
  rxpi: '1.2.3',
  pi: '4.5.6',
  machine: { cpu: 'CPU', cores: 2, memoryGiB: 8, platform: 'linux x64', node: 'v24', load: 0.1 },
  loadAfter: 2,
  minutes: 17,
  benchmarks,
})
const version: Target = {
  what: '--version ÷ bare Node, wall',
  measured: 1.2,
  limit: 1.3,
  unit: '×',
  sides: { unit: ' ms', rxpi: 36.04, pi: 1_234.5, floor: 30 },
}

it('has each row with all sides, the ratio, the target and the verdict', () => {
  const page = performancePage(results(start(version)))
  expect(page).toContain('| topic | target | rxpi | pi 4.5.6 | bare Node | measured | limit | result |')
  expect(page).toContain(
    '| `--version` | --version ÷ bare Node, wall | 36.0 ms | 1,235 ms | 30.0 ms | 1.20× | ≤ 1.30× | reached |',
  )
  expect(page).toContain('- 2026-01-02T03:04Z, 17 minutes: rxpi 1.2.3 beside pi 4.5.6')
  expect(page).toContain('CPU · 2 cores · 8 GiB · linux x64 · Node v24 · load 0.1 before, 2.0 after the run')
  expect(page).toContain('- `start` (1.0 min): starts\n  - a note\n')
})

it('has every wanted row, also if its benchmark failed, and reports that', () => {
  const failed: BenchmarkResult = { name: 'server', about: 'serves', minutes: 0.5, failure: 'no port\nleft' }
  const page = performancePage(results(start(version), failed))
  for (const { title } of wantedRows) expect(page).toContain(`| ${title} | `)
  expect(page).toContain('| Wire bytes | bytes a delta of 20 characters | – | – | – | – | – | not measured |')
  expect(page).toContain('**It failed in this run:** no port left')
  expect(page).toMatch(/\*\*1 targets reached, 0 missed, \d+ not measured\*\*/)
})

it('gives the reason of a missed target, or reports that it is unknown', () => {
  const unknown = performancePage(results(start({ ...version, measured: 2 })))
  expect(unknown).toContain('| 2.00× | ≤ 1.30× | **missed** |')
  expect(unknown).toContain('- --version ÷ bare Node, wall: not explained yet.')
  const target: Target = { what: 'CPU a delta at 1 ms ÷ pi', measured: 1, limit: 0.45, unit: '×' }
  const known = performancePage(results({ ...start(target), name: 'server' }))
  const why = shortfalls.find((each) => each.target === target.what)?.why
  expect(known).toContain(`- ${target.what}: ${String(why)}`)
})

it('shows a target without a wanted row below, once', () => {
  const page = performancePage(results(start({ what: 'another', measured: 1, limit: 2, unit: '×' })))
  const [, further = ''] = page.split('## Further targets')
  expect(further).toContain('| `start` | another | – | – | – | 1.00× | ≤ 2.00× | reached |')
  expect(page.split('| another |').length).toBe(2)
})
