// Tests how messages become one text.
import { expect, it } from 'vitest'
import { joinSentences } from '../../../lib/streams/values/sentences.ts'

it.each([
  [['a/b'], 'a/b.'],
  [['One', 'Did you mean two?', 'Three.'], 'One. Did you mean two? Three.'],
  [[], ''],
])('%j become “%s”', (texts, joined) => {
  expect(joinSentences(texts)).toBe(joined)
})
