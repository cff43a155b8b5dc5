// Reads what a conformance suite printed: scenarios, checks, and which failures are expected.

export interface ScenarioRun {
  readonly name: string
  /** Checks, not scenarios. */
  readonly passed: number
  readonly failed: number
  /** Also without a failed check: a warning is enough. */
  readonly isFailure: boolean
  /** Why the failure is expected. */
  readonly reason?: string
}

export interface SuiteRun {
  readonly revision: string
  /** Of the suite's package. */
  readonly version: string
  readonly scenarios: readonly ScenarioRun[]
  /** What differs from the file of expected failures. Empty if the run is as wanted. */
  readonly unexpected: readonly string[]
}

const scenarioLine = /^([✓✗]) (\S+): (\d+) passed, (\d+) failed/
/** An entry of the file, with its reason behind `#`; `scenario:check` names one check. */
const expectedLine = /^\s*- ([^\s:#]+)(?::\S+)?\s*#\s*(.+)$/

/** @param code the exit code of the suite @throws Error if the output has no summary: the suite did not run */
export function parseSummary(
  stdout: string,
  expected: string,
  code: number,
): Pick<SuiteRun, 'scenarios' | 'unexpected'> {
  const reasons = new Map(expected.split('\n').flatMap((line) => entriesOf(expectedLine.exec(line))))
  const scenarios = stdout.split('\n').flatMap((line) => scenariosOf(scenarioLine.exec(line), reasons))
  if (scenarios.length === 0)
    throw new Error(`The suite printed no summary (exit code ${code}):\n${stdout.slice(-2000)}`)
  const failures = scenarios.filter(({ isFailure, reason }) => isFailure && reason === undefined)
  const unexpected = failures.map(({ name }) => `${name} failed`)
  for (const { name, isFailure, reason } of scenarios)
    if (!isFailure && reason !== undefined) unexpected.push(`${name} passed: remove it from the expected failures`)
  if (code !== 0 && unexpected.length === 0) unexpected.push(`the suite exited with ${code}`)
  return { scenarios, unexpected }
}

function entriesOf(match: RegExpExecArray | null): readonly (readonly [string, string])[] {
  const [, name, reason] = match ?? []
  return name === undefined || reason === undefined ? [] : [[name, reason]]
}

function scenariosOf(match: RegExpExecArray | null, reasons: ReadonlyMap<string, string>): readonly ScenarioRun[] {
  const [, mark, name, passed, failed] = match ?? []
  if (name === undefined) return []
  const reason = reasons.get(name)
  return [
    {
      name,
      passed: Number(passed),
      failed: Number(failed),
      isFailure: mark === '✗',
      ...(reason === undefined ? {} : { reason }),
    },
  ]
}
