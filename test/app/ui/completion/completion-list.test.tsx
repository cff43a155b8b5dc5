// Tests the list of completions on the screen.
import { stripVTControlCharacters } from 'node:util'
import { cleanup, render } from '../../../support/ink-screen.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { CompletionList } from '../../../../app/ui/completion/completion-list.tsx'

afterEach(cleanup)

describe('CompletionList', () => {
  it('escapes control characters in file names and descriptions [S19a]', () => {
    const hostile = 'a\u001b[2Jb\u202ec\u200b'
    const suggestion = { label: hostile, description: hostile, value: 'a', kind: 'file' } as const
    const completion = { suggestions: [suggestion], chosen: 0 }
    const { lastFrame } = render(<CompletionList completion={completion} columns={120} rows={3} />)
    const frame = stripVTControlCharacters(lastFrame() ?? '')
    expect(frame.split('a␛[2Jb<U+202E>c<U+200B>')).toHaveLength(3)
  })

  it('draws a name with line feeds on one row', () => {
    const suggestion = { label: 'a\nb\tc', description: 'one\ntwo', value: 'a', kind: 'file' } as const
    const completion = { suggestions: [suggestion], chosen: 0 }
    const { lastFrame } = render(<CompletionList completion={completion} columns={60} rows={3} />)
    expect(stripVTControlCharacters(lastFrame() ?? '')).toBe('❯ a b    c  one two')
  })
})
