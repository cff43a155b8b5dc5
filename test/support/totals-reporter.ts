// Prints the totals as the last line of a test run; a fault outside a test counts as a failed one.
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** Prints `N passed, N failed`, and `, N skipped` if there are any, when a run ends. */
export default class TotalsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    console.log(totalsLine(modules, unhandledErrors))
  }
}

/** Counts tests; errors of modules, of suites (their hooks) and unhandled errors count as failed. */
function totalsLine(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): string {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const count = (state: string): number => tests.filter((test) => test.result().state === state).length
  const suites = modules.flatMap((module) => [...module.children.allSuites()])
  const broken = [...modules, ...suites].reduce((sum, part) => sum + part.errors().length, unhandledErrors.length)
  // A test without an end when the run ends (a crashed worker) did not pass.
  const failed = count('failed') + count('pending') + broken
  const skipped = count('skipped')
  return `${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
