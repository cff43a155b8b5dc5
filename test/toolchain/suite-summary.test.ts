// Tests how the results of a conformance suite are read and written.
import { describe, expect, it } from 'vitest'
import { conformanceSection, replaceSection } from '../../scripts/mcp/conformance-section.ts'
import { parseSummary } from '../../scripts/mcp/suite-summary.ts'

const printed = `=== SUITE SUMMARY ===

✓ initialize: 1 passed, 0 failed
✗ auth/dpop: 10 passed, 3 failed
✗ auth/basic-cimd: 14 passed, 0 failed, 1 warnings
`
const expected = `client:
  - auth/dpop # an extension
  - auth/basic-cimd:check # a warning
`

describe('parseSummary', () => {
  it('reads scenarios, and why they may fail', () => {
    expect(parseSummary(printed, expected, 0)).toEqual({
      scenarios: [
        { name: 'initialize', passed: 1, failed: 0, isFailure: false },
        { name: 'auth/dpop', passed: 10, failed: 3, isFailure: true, reason: 'an extension' },
        { name: 'auth/basic-cimd', passed: 14, failed: 0, isFailure: true, reason: 'a warning' },
      ],
      unexpected: [],
    })
  })

  it.each([
    ['a failure without a reason', printed, 'client:\n  - auth/dpop # an extension\n', 1, ['auth/basic-cimd failed']],
    ['a failure that is gone', printed.replace('✗ auth/dpop', '✓ auth/dpop'), expected, 1, ['auth/dpop passed: remove it from the expected failures']], // prettier-ignore
    ['an exit code alone', printed, expected, 1, ['the suite exited with 1']],
  ])('tells %s', (_, stdout, file, code, unexpected) => {
    expect(parseSummary(stdout, file, code).unexpected).toEqual(unexpected)
  })

  it('fails for a suite that did not run', () => {
    expect(() => parseSummary('npm failed', expected, 1)).toThrow('no summary (exit code 1)')
  })
})

describe('conformanceSection', () => {
  const section = conformanceSection([{ revision: 'R', version: '1', ...parseSummary(printed, expected, 0) }])

  it('counts scenarios and checks, and names each failure', () => {
    expect(section).toContain('| R | 1 | 1 of 3 | 25 of 28 | 2 |')
    expect(section).toContain('- `auth/dpop`: an extension')
  })

  it('takes the place of an earlier one, between other sections', () => {
    const page = '# MCP\n\n## Conformance\n\nold\n\n## Last\n\ntext\n'
    expect(replaceSection(page, section)).toBe(`# MCP\n\n${section}\n## Last\n\ntext\n`)
    expect(replaceSection('# MCP\n', section)).toBe(`# MCP\n\n${section}`)
  })
})
