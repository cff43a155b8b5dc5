// Tests the text of an age.
import { expect, it } from 'vitest'
import { formatAge } from '../../../app/text/age.ts'

const now = Date.parse('2026-11-22T12:00:00')
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

it.each<[number, string]>([
  [-32 * day, '2026-12-24'],
  [-hour, 'in 1 h'],
  [1 - minute, 'now'],
  [0, 'now'],
  [minute - 1, 'now'],
  [minute, '1 min ago'],
  [hour - 1, '59 min ago'],
  [hour, '1 h ago'],
  [day - 1, '23 h ago'],
  [day, '1 d ago'],
  [31 * day - 1, '30 d ago'],
  [40 * day, '2026-10-13'],
])('formats %d ms before now as %s', (past, text) => {
  expect(formatAge(now - past, now)).toBe(text)
})

it('returns a time outside the calendar as a number', () => {
  expect(formatAge(-1e18, now)).toBe('-1000000000000000000')
})
