// Joins several runs of the same tests: how often each test failed, and its first message.
export interface FlakyTest {
  /** File and full title; only the file if it failed without a failed test. */
  readonly name: string
  readonly failures: number
  /** Message of the first failure. */
  readonly message: string
}

/** The part of vitest's JSON report that this script reads. */
export interface TestRun {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[] | null
    }[]
  }[]
}

/** Returns the tests that failed in any run, the most frequent first. File names are relative to `root`. */
export function flakyTests(runs: readonly TestRun[], root: string): FlakyTest[] {
  const failed = runs.flatMap(({ testResults }) => testResults.flatMap((result) => failuresOf(result, root)))
  const byName = Map.groupBy(failed, ({ name }) => name)
  return [...byName]
    .map(([name, all]) => ({ name, failures: all.length, message: all[0]?.message ?? '' }))
    .toSorted((one, other) => other.failures - one.failures)
}

type FileResult = TestRun['testResults'][number]

function failuresOf({ name, status, message, assertionResults }: FileResult, root: string) {
  const file = name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name
  const tests = assertionResults.filter((each) => each.status === 'failed')
  if (tests.length === 0 && status === 'failed') return [{ name: file, message }]
  return tests.map(({ fullName, failureMessages }) => ({
    name: `${file} > ${fullName}`,
    message: failureMessages?.[0] ?? '',
  }))
}
