// Tests that a mention of a file stands once in what people read.
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../support/cpu-time.ts'
import { foldMentions } from '../../../lib/streams/messages/mentions.ts'

const file = (path: string): string => `<file path="${path}">\nlong content\n</file>\n\n`

describe('foldMentions', () => {
  it.each([
    ['Hello', 'Hello'],
    [`${file('a.ts')}Explain @a.ts`, 'Explain @a.ts'],
    [`${file('a.ts')}Explain @a.ts, please`, 'Explain @a.ts, please'],
    [`${file('a b.ts')}Explain @"a b.ts"`, 'Explain @"a b.ts"'],
    [`${file('a.ts')}Explain it`, '@a.ts Explain it'],
    [`${file('a.ts')}Explain @a.tsx`, '@a.ts Explain @a.tsx'],
    [`${file('a.ts')}${file('b.ts')}Compare @a.ts and @b.ts`, 'Compare @a.ts and @b.ts'],
    ['<folder path="src/">\na.ts\n</folder>\n\nWhat is in @src/ ?', 'What is in @src/ ?'],
    [file('a.ts'), '@a.ts'],
    ['<file path="a.ts"> is a tag', '<file path="a.ts"> is a tag'],
  ])('of %j is %j [FIRST-mention]', (text, folded) => {
    expect(foldMentions(text)).toBe(folded)
  })

  it('folds a long hostile text in linear time', () => {
    const openings = '<file path="a">\n'.repeat(60_000)
    const blocks = Array.from({ length: 10_000 }, (_, index) => file(`f${index}`)).join('')
    const begun = cpuMs()
    expect(foldMentions(`${openings}</folder>`)).toBe(`${openings}</folder>`)
    expect(foldMentions(`${blocks}${'@f1'.repeat(100_000)}`)).toHaveLength(368_890)
    expect(cpuMs() - begun).toBeLessThan(2_000)
  })
})
