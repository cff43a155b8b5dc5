// Tests the report on accounts: no part may be loaded, and a token may cost what a stored key does.
import { expect, it } from 'vitest'
import { accountsReport } from '../../bench/accounts.ts'
import { isReached } from '../../bench/report-text.ts'

const start = (name: string, cpuMs: number) => ({ name, wallMs: [cpuMs], cpuMs: [cpuMs], peakMiB: [1] })
const load = (command: string, ...parts: readonly string[]) => ({ command, files: 10, parts })

function reached(token: number, cpuMs: number, ...parts: readonly string[]): (boolean | undefined)[] {
  const requests = { requests: 1, variable: [100], stored: [200], token: [token] }
  const starts = [start('without', 100), start('with', cpuMs)]
  return accountsReport([load('a'), load('b', ...parts)], starts, requests).targets.map(isReached)
}

it('reaches its targets if nothing is loaded and nothing costs more', () => {
  expect(reached(210, 102)).toEqual([true, true, true])
})

it('misses them for a part that is loaded, a dearer start and a dearer token', () => {
  expect(reached(230, 110, 'OAuth library')).toEqual([false, false, false])
})

it('lists the loaded parts, and has no figures of requests that were not measured', () => {
  const { tables, targets } = accountsReport([load('a', 'x', 'y'), load('b')], [], undefined)
  expect(tables).toHaveLength(1)
  expect(tables[0]?.rows).toEqual([
    ['a', 10, 'x, y'],
    ['b', 10, 'none'],
  ])
  expect(targets.map(({ measured }) => measured)).toEqual([2, undefined, undefined])
})
