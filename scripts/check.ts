// Runs the checks: all of them and every test, or with `--changed=REF` those of changed files.
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { changedPlan, fullPlan } from './checks/check-steps.ts'
import type { Outcome, Step, StepOptions } from './checks/run-step.ts'
import { runStep } from './checks/run-step.ts'
import { ensureValidators } from './validators/validators.ts'

interface Totals {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** A check that has run. */
interface Finished extends Outcome {
  readonly name: string
  readonly tookMs: number
}

const root = path.dirname(import.meta.dirname)

/** `--changed` compares with HEAD, `--changed=REF` with the fork point of REF; the last one counts. */
const isChanged = (flag: string): boolean => /^--changed(?:=|$)/.test(flag)
const flags = process.argv.slice(2)
const changed = flags.findLast(isChanged)
const vitestFlags = flags.filter((flag) => !isChanged(flag))

ensureValidators(root)
const plan =
  changed === undefined ? fullPlan(root, vitestFlags) : changedPlan(root, changed.split('=')[1] ?? 'HEAD', vitestFlags)
const waiting = [...plan.checks]
const results: Totals[] = []
const work = async (): Promise<void> => {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) results.push(show(await check(step)))
}
await Promise.all([work(), work()])
const beside = checkInTurn(plan.besideTests)
results.push(await tests(plan.tests))
results.push(...(await beside).map(show))
conclude(results)

/** Runs checks one after another in the CPU time that the tests leave. */
async function checkInTurn(steps: readonly Step[]): Promise<readonly Finished[]> {
  const finished: Finished[] = []
  for (const step of steps) finished.push(await check(step, { isIdle: true }))
  return finished
}

async function check(step: Step, options: StepOptions = {}): Promise<Finished> {
  const started = performance.now()
  const outcome = await runStep(root, step, options)
  return { ...outcome, name: step.name, tookMs: performance.now() - started }
}

/** Shows how a check ended, with its output only if it failed. */
function show({ name, code, output, tookMs }: Finished): Totals {
  report(name, code, tookMs)
  if (code !== 0) process.stdout.write(output.endsWith('\n') ? output : `${output}\n`)
  return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 }
}

/** Runs vitest and shows its output as it comes; the total of `conclude` replaces its last line. */
async function tests(step: Step): Promise<Totals> {
  const started = performance.now()
  const { code, output } = await runStep(root, step, { onText: (text) => process.stdout.write(text) })
  report(step.name, code, performance.now() - started)
  const totals = readTotals(output)
  // vitest may also fail without a failed test, or die before it counts.
  return code !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals
}

function report(name: string, code: number, tookMs: number): void {
  console.log(`${name}: ${code === 0 ? 'ok' : `failed (exit ${code})`}, ${(tookMs / 1000).toFixed(1)} s`)
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
