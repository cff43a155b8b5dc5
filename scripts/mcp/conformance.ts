// Runs the official MCP conformance suites; `npm run mcp-conformance [-- --page]`.
// Each suite is installed into a temporary folder at its pinned version. `--page` writes the counts to docs/mcp.md.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { withWorkspace } from '../../bench/workspace.ts'
import { formatText } from '../shared/format-text.ts'
import { conformanceSection, replaceSection } from './conformance-section.ts'
import { parseSummary } from './suite-summary.ts'
import type { SuiteRun } from './suite-summary.ts'

interface Suite {
  readonly revision: string
  readonly version: string
  readonly arguments: readonly string[]
}

/** A suite of a pre-release may change what it demands, so the versions are exact. */
const suites: readonly Suite[] = [
  { revision: '2025-11-25', version: '0.1.16', arguments: ['--suite', 'all'] },
  { revision: '2026-07-28', version: '0.2.0-alpha.12', arguments: ['--requirements', '2026-07-28'] },
]

const root = path.resolve(import.meta.dirname, '../..')
const page = path.join(root, 'docs/mcp.md')
const driver = path.join(import.meta.dirname, 'conformance-client.ts')
const execute = promisify(execFile)

const runs: SuiteRun[] = []
await withWorkspace(root, async ({ folder }) => {
  for (const suite of suites) {
    const run = await runSuite(suite, path.join(folder, suite.revision))
    print(run)
    runs.push(run)
  }
})
if (process.argv.includes('--page')) {
  const text = replaceSection(readFileSync(page, 'utf8'), conformanceSection(runs))
  writeFileSync(page, await formatText(page, text))
}
if (runs.some(({ unexpected }) => unexpected.length > 0)) process.exitCode = 1

async function runSuite({ revision, version, arguments: selection }: Suite, folder: string): Promise<SuiteRun> {
  const name = '@modelcontextprotocol/conformance'
  mkdirSync(folder)
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder]
  execFileSync('npm', ['install', ...flags, `${name}@${version}`], { stdio: 'inherit', timeout: 180_000 })
  const expected = path.join(import.meta.dirname, `expected-${revision}.yaml`)
  const program = path.join(folder, 'node_modules', name, 'dist/index.js')
  const options = ['--expected-failures', expected, '--output-dir', path.join(folder, 'results'), '--timeout', '120000']
  const command = `"${process.execPath}" "${driver}" "${path.join(folder, 'home')}"`
  const { stdout, code } = await outputOf([program, 'client', '--command', command, ...selection, ...options])
  return { revision, version, ...parseSummary(stdout, readFileSync(expected, 'utf8'), code) }
}

/** The suite exits with 1 if a scenario has another outcome than expected. */
async function outputOf(words: readonly string[]): Promise<{ readonly stdout: string; readonly code: number }> {
  try {
    const { stdout } = await execute(process.execPath, words, { maxBuffer: 64 * 2 ** 20, timeout: 600_000 })
    return { stdout, code: 0 }
  } catch (error) {
    if (!(error instanceof Error) || !('stdout' in error) || !('code' in error)) throw error
    if (typeof error.stdout !== 'string' || typeof error.code !== 'number') throw error
    return { stdout: error.stdout, code: error.code }
  }
}

function print({ revision, version, scenarios, unexpected }: SuiteRun): void {
  console.log(`\n## MCP ${revision}, suite ${version}`)
  for (const { name, passed, failed, isFailure, reason } of scenarios)
    console.log(`  ${isFailure ? 'FAIL' : 'ok  '} ${name}: ${passed} passed, ${failed} failed${reason === undefined ? '' : ` (expected: ${reason})`}`) // prettier-ignore
  for (const line of unexpected) console.log(`  UNEXPECTED ${line}`)
}
