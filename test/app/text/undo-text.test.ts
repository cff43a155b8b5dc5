// Tests the words of an undo in the UI and on the command line.
import { describe, expect, it } from 'vitest'
import { refusalText, undoneText } from '../../../app/text/undo-text.ts'

const changes = [
  { path: 'greet.js', change: 'replace' as const },
  { path: 'new.txt', change: 'remove' as const },
  { path: 'gone.md', change: 'create' as const },
]
const ownEdit = 'it was changed, but not by the agent'

describe('/undo', () => {
  it('says what it removed, restored and brought back [FIRST-results]', () => {
    const paths = changes.map(({ path }) => path)
    expect(undoneText({ changes }, { paths })).toBe('Undone: removed new.txt, restored greet.js, brought back gone.md')
  })

  it('says if no file had changed, and which files stay', () => {
    const stored = [{ path: 'big.bin', reason: 'too large' }]
    expect(undoneText({}, {})).toBe('Undone: no file had changed')
    expect(undoneText({ changes }, { paths: ['new.txt'], kept: stored })).toBe(
      'Undone: removed new.txt\nbig.bin stays: too large',
    )
  })

  it('says whose edits it would lose, and how to lose them [FIRST-results]', () => {
    expect(refusalText({ conflicts: [{ path: 'greet.js', reason: ownEdit }] }, '/undo force')).toBe(
      'Not undone: you edited greet.js since. /undo force throws your edit away.',
    )
    const many = Array.from({ length: 7 }, (_, index) => ({ path: `${index}.js`, reason: ownEdit }))
    expect(refusalText({ conflicts: many }, '/undo force')).toBe(
      'Not undone: you edited 0.js, 1.js, 2.js, 3.js, 4.js and 2 more since. /undo force throws your edits away.',
    )
  })

  it('gives any other reason', () => {
    expect(refusalText({ conflicts: [{ path: 'a', reason: 'it is unknown' }] }, '/undo force')).toBe(
      'Not undone: a (it is unknown). /undo force overwrites it.',
    )
  })
})
