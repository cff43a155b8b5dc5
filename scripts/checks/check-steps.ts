// Defines the steps of `npm test` and `npm run check`: for the whole project, and for changed files.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { changedFiles } from './changed-files.ts'
import type { Step } from './run-step.ts'
import { v8Flags } from './v8-flags.ts'

export interface CheckPlan {
  /** Independent of each other; the longest comes first, so that two at a time end together. */
  readonly checks: readonly Step[]
  readonly tests: Step
  /** Run one after another beside the tests, in the fifth of two cores that these leave idle when they wait. */
  readonly besideTests: readonly Step[]
}

/** Rooms whose files get every rule of ESLint, because some rules need no Observable. */
const everyFileOf = /^lib\/(?:streams|operators)\//

/** What a file names that composes Observables: the package, or a variable that holds one. */
const namesObservables = /from 'rxjs|\w\$(?![\w{])/

/** A check after a change takes 3 s of CPU with the results of the last one, 20 s without. */
const incremental = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/rxpi/types.tsbuildinfo']
/** Each further checker would find the types of the same files again: 3 s of CPU more for four of them. */
const types: Step = {
  name: 'types',
  command: ['node_modules/tsgo/bin/tsc', '--noEmit', '--checkers', '1', ...incremental],
}
const rooms: Step = { name: 'rooms', command: ['scripts/rooms/rooms.ts'] }

/** Everything. `vitestFlags` go to vitest. */
export function fullPlan(root: string, vitestFlags: readonly string[]): CheckPlan {
  return {
    checks: [lint([]), types, format([])],
    besideTests: [rxjs(process.env.RXPI_FULL === undefined ? observingFiles(root) : ['.']), rooms],
    tests: { name: 'tests', command: ['node_modules/vitest/vitest.mjs', 'run', ...vitestFlags] },
  }
}

/**
 * Types and rooms of the whole project; lint and format of the files changed since `base`; the tests that import one of
 * them. A test that only starts a process imports nothing of lib, so it does not run.
 */
export function changedPlan(root: string, base: string, vitestFlags: readonly string[]): CheckPlan {
  const files = changedFiles(root, base)
  const scripts = files.filter((file) => /\.(?:ts|tsx|js|mjs|cjs)$/.test(file))
  const typed = files.filter((file) => /\.tsx?$/.test(file))
  return {
    checks: [
      ...(typed.length > 0 ? [rxjs(['--no-warn-ignored', ...typed])] : []),
      ...(files.length > 0 ? [format(files)] : []),
      ...(scripts.length > 0 ? [lint(['--no-error-on-unmatched-pattern', ...scripts])] : []),
      rooms,
      types,
    ],
    besideTests: [],
    tests: {
      name: 'tests',
      command: ['node_modules/vitest/vitest.mjs', 'run', `--changed=${base}`, '--passWithNoTests', ...vitestFlags],
    },
  }
}

/**
 * The files of `lib`, `app` and `examples` in which a fault against the RxJS rules can be. All others, and tests,
 * benchmarks and scripts, are read with the long suites: docs/decisions/0111.
 */
function observingFiles(root: string): readonly string[] {
  const files = globSync('{lib,app,examples}/**/*.{ts,tsx}', { cwd: root })
  const observing = files.filter(
    (file) => everyFileOf.test(file) || namesObservables.test(readFileSync(path.join(root, file), 'utf8')),
  )
  return ['--no-warn-ignored', ...observing]
}

function rxjs(flags: readonly string[]): Step {
  const command = ['node_modules/eslint/bin/eslint.js', ...flags] as const
  return { name: 'rxjs', command, nodeFlags: v8Flags }
}

function lint(flags: readonly string[]): Step {
  return { name: 'lint', command: ['node_modules/oxlint/bin/oxlint', ...flags] }
}

function format(files: readonly string[]): Step {
  return {
    name: 'format',
    command: ['node_modules/oxfmt/bin/oxfmt', '--check', '--no-error-on-unmatched-pattern', ...files],
  }
}
