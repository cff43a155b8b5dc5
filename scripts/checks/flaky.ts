// Runs tests repeatedly at low priority; prints each test that failed once; exit code 1 if any did.
// `npm run flaky -- 50 [file …]`
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { flakyTests } from './flaky-tests.ts'
import { machineTests } from './machine-tests.ts'
import type { TestRun } from './flaky-tests.ts'
import { ensureValidators } from '../validators/validators.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** Maximum of printed lines of a run's failures. */
const maxLines = 120

const [runsArgument = '10', ...named] = process.argv.slice(2)
const times = Number(runsArgument)
if (Number.isInteger(times) && times > 0) await repeat(times, named.length > 0 ? named : machineTests(root))
else {
  console.error(
    `flaky: ${JSON.stringify(runsArgument)} is not a number of runs above 0\n\nUsage: npm run flaky [-- RUNS [file …]]`,
  )
  process.exitCode = 2
}

async function repeat(count: number, files: readonly string[]): Promise<void> {
  os.setPriority(19) // child processes inherit it
  ensureValidators(root)
  console.log(`${files.length} files, ${count} times`)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rxpi-flaky-'))
  process.once('exit', () => rmSync(folder, { recursive: true })) // a signal ends this process, too
  const runs: TestRun[] = []
  for (let run = 1; run <= count; run += 1) {
    const startedAt = performance.now()
    const { result, failureText: output } = await runOnce(files, path.join(folder, `${run}.json`))
    runs.push(result)
    const failed = flakyTests([result], root)
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    console.log(`run ${run} of ${count}: ${seconds} s, load ${os.loadavg()[0]?.toFixed(1)}, ${failed.length} failed`)
    if (failed.length > 0) console.log(indentOutput(output))
  }
  conclude(runs)
}

interface Repeated {
  readonly result: TestRun
  /** Standard error of vitest: each failure with expected and received value. */
  readonly failureText: string
}

/** Rejects if vitest itself cannot run. */
async function runOnce(files: readonly string[], output: string): Promise<Repeated> {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--reporter=json', '--reporter=default', `--outputFile.json=${output}`, ...files]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const leave = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  process.once('SIGINT', leave).once('SIGTERM', leave)
  let failureText = ''
  child.stdout.resume()
  child.stderr.setEncoding('utf8').on('data', (text: string) => (failureText += text))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  })
  process.off('SIGINT', leave).off('SIGTERM', leave)
  const results = readResults(output, `vitest ended with exit code ${code} and wrote no results:\n${failureText}`)
  return { result: withVitestFault(results, code, failureText), failureText }
}

function readResults(output: string, otherwise: string): TestRun {
  try {
    return JSON.parse(readFileSync(output, 'utf8')) as TestRun // vitest wrote this file
  } catch (cause) {
    throw new Error(otherwise, { cause })
  }
}

/** An error outside all tests fails a run too. */
function withVitestFault(run: TestRun, code: number | null, message: string): TestRun {
  if (code === 0 || flakyTests([run], root).length > 0) return run
  const fault = {
    name: `no test, but vitest ended with exit code ${code}`,
    status: 'failed',
    message,
    assertionResults: [],
  }
  return { testResults: [...run.testResults, fault] }
}

function conclude(runs: readonly TestRun[]): void {
  const flaky = flakyTests(runs, root)
  for (const { name, failures } of flaky) console.log(`${failures} of ${runs.length}: ${name}`)
  console.log(flaky.length === 0 ? `no test failed in ${runs.length} runs` : `${flaky.length} tests are flaky`)
  process.exitCode = flaky.length === 0 ? 0 : 1
}

function indentOutput(failureText: string): string {
  return stripVTControlCharacters(failureText)
    .split('\n')
    .slice(0, maxLines)
    .map((line) => `    ${line}`)
    .join('\n')
}
