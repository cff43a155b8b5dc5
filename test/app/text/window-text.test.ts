// Tests the short text of a context window's size.
import { expect, it } from 'vitest'
import { formatTokens } from '../../../app/text/window-text.ts'

it.each([
  [512, '512'],
  [8_192, '8k'],
  [200_000, '200k'],
  [1_048_576, '1M'],
  [1_500_000, '1.5M'],
])('formats %i tokens as %s', (tokens, text) => {
  expect(formatTokens(tokens)).toBe(text)
})
