// Tests that docs/beside.md has the line counts of the compared programs, and that rxpi's own runs.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countLines, programFolder, programs } from '../../scripts/rivals/count-lines.ts'
import { pageExamples } from '../support/page-examples.ts'
import type { PageExamples } from '../support/page-examples.ts'

const text = readFileSync('docs/beside.md', 'utf8')
let shown: PageExamples

beforeAll(() => {
  shown = pageExamples('docs/beside.md', 'js')
})
afterAll(() => {
  shown[Symbol.dispose]()
})

describe('docs/beside.md', () => {
  it.each(programs)('has $name with its lines', ({ name, file }) => {
    const { all, tool } = countLines(file)
    expect(text).toMatch(new RegExp(`^\\| ${name} +\\| [\\w. ]+ \\| ${all} +\\| ${tool} +\\|$`, 'm'))
    expect(text).toContain(readFileSync(`${programFolder}/${file}`, 'utf8').trimEnd())
  })

  it('needs 30 lines with rxpi at most, 11 of them for the tool, and fewest of all', () => {
    const [own, ...rivals] = programs.map(({ file }) => countLines(file))
    expect(own?.all).toBeLessThanOrEqual(30)
    expect(own?.tool).toBeLessThanOrEqual(11)
    for (const rival of rivals) expect(own?.all).toBeLessThanOrEqual(rival.all)
  })

  it('has a program of rxpi that runs', async () => {
    expect(await shown.run(shown.examples[0] ?? '')).toBe('ran')
  }, 60_000)
})
