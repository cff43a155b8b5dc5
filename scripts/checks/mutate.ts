// Breaks the named files, one fault after the other, and prints the faults that no test noticed.
// `npm run mutate -- lib/store/repair/repair-log.ts`
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { testsNear } from '../mutation/tests-near.ts'
import { ensureValidators } from '../validators/validators.ts'

/** Number of faults by outcome. */
interface Score {
  /** A test failed or timed out. */
  readonly killed: number
  readonly survived: number
  /** No test reached the line. */
  readonly uncovered: number
  /** The mutated code could not run; this says nothing about the tests. */
  readonly errors: number
}

const root = path.resolve(import.meta.dirname, '../..')
const tools = path.join(root, 'scripts/mutation')
const stryker = path.join(tools, 'node_modules/@stryker-mutator/core/bin/stryker.js')
const usage = `Usage: npm run mutate -- FILE|FOLDER … [--wide | --tests 'PATTERN …']
  FILE, FOLDER   below lib
  --wide         runs every test of the room that imports a file, not only the nearest ones
  --tests        runs these tests`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { wide: { type: 'boolean', default: false }, tests: { type: 'string' } },
})
const unknown = positionals.filter((name) => !isSource(name))
if (positionals.length === 0 || unknown.length > 0) {
  for (const name of unknown) console.error(`${name} is not a file or folder below lib.`)
  console.error(usage)
  process.exit(2)
}
ensureInstalled()
ensureValidators(root)
const scores: Record<string, Score> = {}
for (const file of positionals.flatMap(sourcesOf)) scores[file] = scoreOf(file)
console.table(scores)

function isSource(name: string): boolean {
  const workspace = path.relative(root, path.resolve(name))
  return workspace.startsWith(`lib${path.sep}`) && existsSync(path.join(root, workspace))
}

/** The source files of a file or a folder, without generated ones. */
function sourcesOf(name: string): string[] {
  const workspace = path.relative(root, path.resolve(name))
  const found = workspace.endsWith('.ts') ? [workspace] : globSync(`${workspace}/**/*.ts`, { cwd: root })
  return found.filter((file) => !file.includes('/generated/') && !file.endsWith('/index.ts')).sort()
}

/** Installs Stryker (60 MB) from its own lock file at the first use, because nothing else needs it. */
function ensureInstalled(): void {
  if (existsSync(stryker)) return
  console.log('installing Stryker in scripts/mutation (once)')
  const { status } = spawnSync('npm', ['ci'], { cwd: tools, stdio: 'inherit' })
  if (status !== 0) throw new Error(`npm ci in ${tools} ended with ${String(status)}: see above`)
}

/** Mutates one file; Stryker prints the mutants that survived. */
function scoreOf(file: string): Score {
  const tests = values.tests?.split(' ') ?? testsNear(root, file, { wide: values.wide })
  console.log(`\n${file}: ${tests.length > 0 ? tests.join(' ') : 'no test of its room imports it'}`)
  if (tests.length === 0) return { killed: 0, survived: 0, uncovered: 0, errors: 0 }
  const report = path.join('coverage/mutation', file)
  mkdirSync(path.join(root, report), { recursive: true })
  const { status } = spawnSync(process.execPath, [stryker, 'run', path.join(tools, 'stryker.config.mjs')], {
    cwd: root,
    env: { ...process.env, MUTATE_FILE: file, MUTATE_TESTS: tests.join(' '), MUTATE_REPORT: report },
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`Stryker ended with ${String(status)} at ${file}: see above`)
  return counted(path.join(root, report, 'report.json'))
}

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>
}

function counted(report: string): Score {
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const states = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status))
  const count = (...wanted: string[]): number => states.filter((state) => wanted.includes(state)).length
  return {
    killed: count('Killed', 'Timeout'),
    survived: count('Survived'),
    uncovered: count('NoCoverage'),
    errors: count('RuntimeError', 'CompileError'),
  }
}
