// Writes the section of docs/mcp.md with the results of the conformance suites.
import type { ScenarioRun, SuiteRun } from './suite-summary.ts'

const heading = '## Conformance'

export function conformanceSection(runs: readonly SuiteRun[]): string {
  return [
    heading,
    '',
    '`npm run mcp-conformance -- --page` installs the official suites into a temporary folder, runs their client scenarios against the',
    'client of rxpi, and writes this section. A failure that is not listed ends the command with 1.',
    '',
    '| protocol | suite | scenarios passed | checks passed | expected failures |',
    '| --- | --- | --- | --- | --- |',
    ...runs.map(row),
    ...runs.flatMap(failures),
    '',
  ].join('\n')
}

/** The page with the section in place of an earlier one, or at its end. */
export function replaceSection(page: string, section: string): string {
  const start = page.indexOf(`\n${heading}\n`)
  if (start < 0) return `${page.trimEnd()}\n\n${section}`
  const next = page.indexOf('\n## ', start + heading.length)
  return `${page.slice(0, start + 1)}${section}${next < 0 ? '' : page.slice(next)}`
}

function row({ revision, version, scenarios }: SuiteRun): string {
  const passed = scenarios.filter(({ isFailure }) => !isFailure)
  const checks = sum(scenarios, ({ passed: count }) => count)
  const all = checks + sum(scenarios, ({ failed }) => failed)
  const failed = scenarios.length - passed.length
  return `| ${revision} | ${version} | ${passed.length} of ${scenarios.length} | ${checks} of ${all} | ${failed} |`
}

function failures({ revision, scenarios }: SuiteRun): readonly string[] {
  const failed = scenarios.filter(({ isFailure }) => isFailure)
  if (failed.length === 0) return []
  const lines = failed.map(({ name, reason }) => `- \`${name}\`: ${reason ?? 'not expected'}`)
  return ['', `Failures of ${revision}:`, '', ...lines]
}

function sum(scenarios: readonly ScenarioRun[], count: (scenario: ScenarioRun) => number): number {
  return scenarios.reduce((total, scenario) => total + count(scenario), 0)
}
