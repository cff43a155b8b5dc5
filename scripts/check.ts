// `npm test`: every check runs to its end, whatever failed before it; the last line counts them all with the tests.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { ensureValidators } from './validators/validators.ts'

interface Step {
  readonly name: string
  /** A script below node_modules and its arguments. */
  readonly command: readonly [script: string, ...flags: string[]]
}

interface Outcome {
  readonly code: number
  readonly output: string
}

interface Totals {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** A run that takes longer than this hangs: a worker in an endless loop hears no time-out of its own. */
const limitMs = process.env.RXPI_FULL === undefined ? 15 * 60_000 : 120 * 60_000

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const roomsOf = ['lib', 'app', 'test', 'scripts']

/** The RxJS rules of tests, benchmarks and scripts run with the long suites: docs/decisions/0111. */
const rxjsRulesOf = process.env.RXPI_FULL === undefined ? ['lib', 'app', 'examples'] : ['.']

/** The longest comes first: beside it one core does all the others. */
const checks: readonly Step[] = [
  { name: 'rxjs', command: ['eslint/bin/eslint.js', ...rxjsRulesOf] },
  { name: 'lint', command: ['oxlint/bin/oxlint'] },
  { name: 'types', command: ['tsgo/bin/tsc', '--noEmit'] },
  {
    name: 'rooms',
    command: [
      'dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.mjs',
      '--output-type',
      `plugin:${path.join(root, 'scripts/rooms/reporter.ts')}`,
      ...roomsOf,
    ],
  },
  { name: 'format', command: ['prettier/bin/prettier.cjs', '--check', '.'] },
]

ensureValidators(root)
const waiting = [...checks]
const results: Totals[] = []
const work = async (): Promise<void> => {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) results.push(await check(step))
}
await Promise.all([work(), work()])
results.push(await tests())
conclude(results)

/** Runs a step and shows what it said only if it failed. */
async function check(step: Step): Promise<Totals> {
  const started = performance.now()
  const { code, output } = await run(step, () => undefined)
  report(step.name, code, started)
  if (code !== 0) process.stdout.write(output.endsWith('\n') ? output : `${output}\n`)
  return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 }
}

/** Runs vitest, showing its output as it comes; its closing line is replaced by ours. */
async function tests(): Promise<Totals> {
  const started = performance.now()
  const command = ['vitest/vitest.mjs', 'run', ...process.argv.slice(2)] as const
  const { code, output } = await run({ name: 'tests', command }, (text) => process.stdout.write(text))
  report('tests', code, started)
  const totals = readTotals(output)
  // It may also fail without a failed test, or die before it could count.
  return code !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals
}

function run({ name, command: [script, ...flags] }: Step, show: (text: string) => void): Promise<Outcome> {
  const colour = process.stdout.isTTY && process.env.NO_COLOR === undefined ? { FORCE_COLOR: '1' } : {}
  const child = spawn(process.execPath, [path.join(root, 'node_modules', script), ...flags], {
    cwd: root,
    env: { ...process.env, ...colour },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a group of its own, so that its workers end with it
  })
  const stop = endWithUs(child)
  const watchdog = setTimeout(() => {
    console.log(`${name}: ended after ${limitMs / 60_000} minutes`)
    stop()
  }, limitMs)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      show(text)
    })
  }
  return new Promise<Outcome>((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ code: code ?? 1, output }))
  }).finally(() => clearTimeout(watchdog))
}

/** Ends the child's whole group when this process is told to end; the function returned does it at once. */
function endWithUs(child: ChildProcess): () => void {
  const stop = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  const leave = (signal: NodeJS.Signals): void => {
    stop()
    process.removeListener(signal, leave)
    process.kill(process.pid, signal)
  }
  process.on('SIGINT', leave).on('SIGTERM', leave).on('SIGHUP', leave)
  child.once('close', () => process.off('SIGINT', leave).off('SIGTERM', leave).off('SIGHUP', leave))
  return stop
}

function report(name: string, code: number, started: number): void {
  console.log(
    `${name}: ${code === 0 ? 'ok' : `failed (exit ${code})`}, ${((performance.now() - started) / 1000).toFixed(1)} s`,
  )
}

function readTotals(output: string): Totals {
  const lines = stripVTControlCharacters(output).matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)
  const [, passed = '0', failed = '0', skipped = '0'] = [...lines].at(-1) ?? []
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) }
}

function conclude(totals: readonly Totals[]): void {
  const sum = (name: keyof Totals): number => totals.reduce((total, each) => total + each[name], 0)
  const skipped = sum('skipped')
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  process.exitCode = sum('failed') === 0 ? 0 : 1
}
