// Tests the format of a count of tokens.
import { expect, it } from 'vitest'
import { formatCount } from '../../../app/text/format-count.ts'

it.each([
  [0, '0'],
  [999, '999'],
  [1_234, '1.2k'],
  [12_345, '12k'],
  [999_499, '999k'],
  [1_500_000, '1.5M'],
])('formats %i as %s', (count, text) => {
  expect(formatCount(count)).toBe(text)
})
