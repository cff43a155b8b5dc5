// `npm run bench`: runs all benchmarks one after the other and writes docs/performance.md.
// `npm run bench -- name … [--json FILE]` runs only those and prints the result; it writes nothing into the clone.
import { readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { accounts } from './accounts.ts'
import { bridges } from './bridges.ts'
import { compaction } from './compaction.ts'
import { extensions } from './extensions.ts'
import { fileEdits } from './file-edits.ts'
import { isolation } from './isolation.ts'
import { loop } from './loop.ts'
import { mcp } from './mcp.ts'
import { machine, machineText } from './machine.ts'
import type { BenchmarkResult } from './page/results.ts'
import { keepResults } from './page/write-page.ts'
import { installPi, piVersion } from './pi-install.ts'
import { policy } from './policy.ts'
import { providers } from './providers.ts'
import { redaction } from './redaction.ts'
import type { Benchmark, Report } from './report.ts'
import { isReached, reportText } from './report-text.ts'
import { sandbox } from './sandbox.ts'
import { toolSearches } from './searches.ts'
import { server } from './server.ts'
import { serverStart } from './server-start.ts'
import { opening } from './opening.ts'
import { sessionList } from './session-list.ts'
import { sessions } from './sessions.ts'
import { start } from './start.ts'
import { toolCalls } from './tool-calls.ts'
import { toolTurns } from './tool-turns.ts'
import { ui } from './ui.ts'
import { versusPi } from './versus-pi.ts'
import { withWorkspace } from './workspace.ts'
import { describeThrown } from '../lib/streams/values/failure.ts'

const benchmarks: readonly Benchmark[] = [
  loop,
  providers,
  toolTurns,
  versusPi,
  sessions,
  sessionList,
  compaction,
  opening,
  fileEdits,
  toolCalls,
  isolation,
  toolSearches,
  policy,
  redaction,
  sandbox,
  extensions,
  accounts,
  mcp,
  bridges,
  start,
  serverStart,
  server,
  ui,
]
/** The limit of one benchmark in time. */
const limitMinutes = 12
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const request = commandLine()
if (typeof request === 'string') {
  console.error(request)
  process.exitCode = 2
} else if (request.help) console.log(helpText())
else await runAll(request)

interface Request {
  readonly help: boolean
  readonly which: readonly Benchmark[]
  readonly json: string | undefined
  /** The page is written only if no benchmark was named. */
  readonly isWhole: boolean
}

/** The selected benchmarks, or the fault of the arguments. All benchmarks if none is named. */
function commandLine(): Request | string {
  try {
    const options = { json: { type: 'string' }, help: { type: 'boolean' } } as const
    const { values, positionals: names } = parseArgs({ allowPositionals: true, options })
    const unknown = names.find((name) => !benchmarks.some((each) => each.name === name))
    if (unknown !== undefined) return `bench: there is no benchmark "${unknown}"\n\n${helpText()}`
    const which = names.length === 0 ? benchmarks : benchmarks.filter(({ name }) => names.includes(name))
    return { help: values.help === true, which, json: values.json, isWhole: names.length === 0 }
  } catch (error) {
    return `bench: ${describeThrown(error)}\n\n${helpText()}`
  }
}

async function runAll({ which, json, isWhole }: Request): Promise<void> {
  const host = machine()
  console.log(`${machineText(host)}\n`)
  const startedAt = performance.now()
  const results = await withWorkspace(root, async (workspace) => {
    const pi = await installPi(workspace)
    if ('program' in pi) process.env.RXPI_BENCH_PI = pi.folder // once for all of them
    const done: BenchmarkResult[] = []
    for (const benchmark of which) done.push(await measured(benchmark))
    return done
  })
  const reports = results.flatMap(({ report }) => report ?? [])
  console.log(summary(reports, results.length - reports.length))
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine: host, results }, undefined, 2)}\n`)
  if (reports.length < results.length) process.exitCode = 1
  if (!isWhole) return
  keepResults({
    date: `${new Date().toISOString().slice(0, 16)}Z`,
    rxpi: versionOf(root),
    pi: piVersion,
    machine: host,
    loadAfter: loadavg()[0] ?? 0,
    minutes: (performance.now() - startedAt) / 60_000,
    benchmarks: results,
  })
  console.log('docs/performance.md and bench/results.json are written')
}

/** A failed one is reported, and the others continue. */
async function measured({ name, about, run }: Benchmark): Promise<BenchmarkResult> {
  console.log(`${name}: ${about}\n`)
  const startedAt = performance.now()
  const minutes = (): number => (performance.now() - startedAt) / 60_000
  try {
    const report = await withWorkspace(root, (workspace) => withinLimit(run(workspace)))
    console.log(reportText(report))
    return { name, about, minutes: minutes(), report }
  } catch (error) {
    const failure = describeThrown(error)
    console.error(`  ${name} has FAILED: ${failure}\n`)
    return { name, about, minutes: minutes(), failure }
  }
}

/** The processes that it has started end with its workspace. */
async function withinLimit(running: Promise<Report>): Promise<Report> {
  const over = new AbortController()
  const overdue = async (): Promise<never> => {
    await delay(limitMinutes * 60_000, undefined, { signal: over.signal, ref: false })
    throw new Error(`It did not end within ${limitMinutes} minutes`)
  }
  try {
    return await Promise.race([running, overdue()])
  } finally {
    over.abort()
  }
}

function versionOf(folder: string): string {
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { readonly version: string }
  return version
}

function summary(reports: readonly Report[], failed: number): string {
  const verdicts = reports.flatMap(({ targets }) => targets.map(isReached))
  const count = (verdict: boolean | undefined): number => verdicts.filter((each) => each === verdict).length
  const unmeasured = count(undefined) === 0 ? '' : `, ${count(undefined)} not measured`
  const broken = failed === 0 ? '' : `; ${failed} benchmarks FAILED`
  return `${count(true)} targets reached, ${count(false)} missed${unmeasured}${broken}`
}

function helpText(): string {
  const list = benchmarks.map(({ name, about }) => `  ${name.padEnd(12)}${about}`).join('\n')
  return `Usage: npm run bench [-- name …] [--json FILE]\n\n${list}\n`
}
