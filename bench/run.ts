// `npm run bench [-- name …] [--json FILE]`: benchmarks one after the other, never side by side; nothing is written into the clone.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { loop } from './loop.ts'
import { machine, machineText } from './machine.ts'
import { providers } from './providers.ts'
import type { Benchmark, Report } from './report.ts'
import { isReached, reportText } from './report-text.ts'
import { server } from './server.ts'
import { serverStart } from './server-start.ts'
import { sessionList } from './session-list.ts'
import { sessions } from './sessions.ts'
import { start } from './start.ts'
import { toolTurns } from './tool-turns.ts'
import { ui } from './ui.ts'
import { versusPi } from './versus-pi.ts'
import { withWorkspace } from './workspace.ts'

const benchmarks: readonly Benchmark[] = [
  loop,
  providers,
  toolTurns,
  versusPi,
  sessions,
  sessionList,
  start,
  serverStart,
  server,
  ui,
]
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const request = commandLine()
if (typeof request === 'string') {
  console.error(request)
  process.exitCode = 2
} else if (request.help) console.log(helpText())
else await runAll(request.which, request.json)

interface Request {
  readonly help: boolean
  readonly which: readonly Benchmark[]
  readonly json: string | undefined
}

/** What is asked for, or what is wrong with it. All benchmarks, where none is named. */
function commandLine(): Request | string {
  try {
    const options = { json: { type: 'string' }, help: { type: 'boolean' } } as const
    const { values, positionals: names } = parseArgs({ allowPositionals: true, options })
    const unknown = names.find((name) => !benchmarks.some((each) => each.name === name))
    if (unknown !== undefined) return `bench: there is no benchmark "${unknown}"\n\n${helpText()}`
    const which = names.length === 0 ? benchmarks : benchmarks.filter(({ name }) => names.includes(name))
    return { help: values.help === true, which, json: values.json }
  } catch (error) {
    return `bench: ${error instanceof Error ? error.message : String(error)}\n\n${helpText()}`
  }
}

async function runAll(which: readonly Benchmark[], file: string | undefined): Promise<void> {
  const host = machine()
  console.log(`${machineText(host)}\n`)
  const reports: Record<string, Report> = {}
  for (const { name, about, run } of which) {
    console.log(`${name}: ${about}\n`)
    reports[name] = await withWorkspace(root, run)
    console.log(reportText(reports[name]))
  }
  console.log(summary(Object.values(reports)))
  if (file !== undefined) writeFileSync(file, `${JSON.stringify({ machine: host, reports }, undefined, 2)}\n`)
}

function summary(reports: readonly Report[]): string {
  const verdicts = reports.flatMap(({ targets }) => targets.map(isReached))
  const count = (verdict: boolean | undefined): number => verdicts.filter((each) => each === verdict).length
  const unmeasured = count(undefined) === 0 ? '' : `, ${count(undefined)} not measured`
  return `${count(true)} targets reached, ${count(false)} missed${unmeasured}`
}

function helpText(): string {
  const list = benchmarks.map(({ name, about }) => `  ${name.padEnd(12)}${about}`).join('\n')
  return `Usage: npm run bench [-- name …] [--json FILE]\n\n${list}\n`
}
