// Tests the list of flaky tests: each failed test or file once, with count and reason.
import { expect, it } from 'vitest'
import type { TestRun } from '../../scripts/checks/flaky-tests.ts'
import { flakyTests } from '../../scripts/checks/flaky-tests.ts'

const file = (name: string, failed: readonly string[], message = ''): TestRun['testResults'][number] => ({
  name: `/root/test/${name}`,
  status: failed.length > 0 || message !== '' ? 'failed' : 'passed',
  message,
  assertionResults: [
    { fullName: 'what always passes', status: 'passed', failureMessages: null },
    ...failed.map((fullName) => ({ fullName, status: 'failed', failureMessages: [`why ${fullName} failed`, 'more'] })),
  ],
})

it('counts failures by test, the most frequent first', () => {
  const runs: TestRun[] = [
    { testResults: [file('a.test.ts', ['one']), file('b.test.ts', [])] },
    { testResults: [file('a.test.ts', ['two']), file('b.test.ts', ['one'])] },
    { testResults: [file('a.test.ts', ['two'])] },
  ]
  expect(flakyTests(runs, '/root')).toEqual([
    { name: 'test/a.test.ts > two', failures: 2, message: 'why two failed' },
    { name: 'test/a.test.ts > one', failures: 1, message: 'why one failed' },
    { name: 'test/b.test.ts > one', failures: 1, message: 'why one failed' },
  ])
})

it('names a file that could not run, or that left resources behind', () => {
  expect(flakyTests([{ testResults: [file('a.test.ts', [], 'a timer was left')] }], '/root')).toEqual([
    { name: 'test/a.test.ts', failures: 1, message: 'a timer was left' },
  ])
})

it('is empty if no test failed', () => {
  expect(flakyTests([{ testResults: [file('a.test.ts', [])] }, { testResults: [] }], '/root')).toEqual([])
})
