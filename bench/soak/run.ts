// `npm run soak [-- --minutes 30 …]`: a server under load for a long time, with checks.
// Exit codes: 0 all is flat and verified, 1 the server has a fault, 2 wrong arguments, 3 the soak itself has one.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { machine, machineText } from '../machine.ts'
import { isReached, reportText } from '../report-text.ts'
import { withWorkspace } from '../workspace.ts'
import { ownFaultsOf, soakReport } from './soak-report.ts'
import { soak } from './soak.ts'
import { describeThrown } from '../../lib/streams/values/failure.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const defaults = {
  minutes: 30,
  'warm-up-minutes': 2,
  parts: 3,
  sessions: 50,
  clients: 20,
  editors: 2,
  seed: Date.now() % 1_000_000,
  'sample-s': 5,
  'every-ms': 1_500,
  runs: 20,
  'rest-after-s': 20,
}
const help = `Usage: npm run soak [-- options]

${Object.entries(defaults)
  .map(([name, value]) => `  --${name.padEnd(14)}default ${value}`)
  .join('\n')}
  --json FILE     the samples and all else, as JSON
`

interface SoakArguments {
  readonly numbers: typeof defaults
  readonly json: string | undefined
}

const parsed = commandLine()
if (typeof parsed === 'string') {
  console.error(parsed)
  process.exitCode = 2
} else await run(parsed)

/** The options, or the fault of the arguments. */
function commandLine(): SoakArguments | string {
  const names = Object.keys(defaults) as (keyof typeof defaults)[] // the keys of the type above
  const text = Object.fromEntries([...names, 'json'].map((name) => [name, { type: 'string' } as const]))
  const options: Record<string, { readonly type: 'string' | 'boolean' }> = { ...text, help: { type: 'boolean' } }
  try {
    const { values } = parseArgs({ options })
    if (values.help === true) return help
    const numbers = { ...defaults }
    for (const name of names) {
      const argument = values[name]
      if (typeof argument === 'string') numbers[name] = Number(argument)
      if (!(numbers[name] >= 0)) return `soak: --${name} needs a number, not ${JSON.stringify(argument)}\n\n${help}`
    }
    if (!Number.isInteger(numbers.parts) || numbers.parts < 1)
      return `soak: --parts needs a whole number from 1\n\n${help}`
    return { numbers, json: typeof values.json === 'string' ? values.json : undefined }
  } catch (error) {
    return `soak: ${describeThrown(error)}\n\n${help}`
  }
}

async function run({ numbers, json }: SoakArguments): Promise<void> {
  const host = machine()
  const { minutes, parts, sessions, clients, editors, seed, runs } = numbers
  console.log(`${machineText(host)}\nsoak: ${minutes} minutes, ${sessions} sessions, ${clients} clients, seed ${seed}`)
  const options = {
    ...{ minutes, parts, sessions, clients, editors, seed, runs },
    warmUpMinutes: numbers['warm-up-minutes'],
    sampleS: numbers['sample-s'],
    everyMs: numbers['every-ms'],
  }
  const soaked = await withWorkspace(root, (workspace) =>
    soak(workspace, { ...options, restAfterS: numbers['rest-after-s'], notify: (line) => console.log(line) }),
  )
  const report = soakReport(soaked)
  console.log(`\n${reportText(report)}`)
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine: host, ...soaked }, undefined, 1)}\n`)
  const missed = report.targets.filter((target) => isReached(target) === false)
  const ownFaults = ownFaultsOf(soaked)
  for (const fault of ownFaults) console.log(`  a fault of the soak itself: ${fault}`)
  console.log(
    verdict(
      missed.map(({ what }) => what),
      ownFaults.length,
    ),
  )
  process.exitCode = missed.length > 0 ? 1 : ownFaults.length > 0 ? 3 : 0
}

function verdict(missed: readonly string[], ownFaults: number): string {
  if (missed.length > 0) return `the soak has failed: ${missed.join('; ')}`
  return ownFaults > 0 ? 'the soak says nothing: it has faults of its own' : 'the soak has passed'
}
