// Opens and continues long sessions, beside pi's session manager on the same conversation.
import { cpSync, mkdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Appends } from './appends-program.ts'
import { stateSnapshotPath } from '../lib/store/log/state-snapshot-file.ts'
import { runBundled } from './bundled-program.ts'
import { installPi, piVersion } from './pi-install.ts'
import type { Benchmark, Workspace } from './report.ts'
import type { LongSamples } from './sessions-report.ts'
import { sessionsReport } from './sessions-report.ts'
import type { ClosedLong, OpenedLong, WrittenLong } from './sessions-program.ts'

const rounds = 7
const sizes = [1_000, 10_000, 100_000]
const flatSizes = [100, 10_000, 100_000]

export const sessions: Benchmark = {
  name: 'sessions',
  about: `sessions of up to 100,000 messages, each opening in a process of its own, beside the SessionManager of pi ${piVersion}`,
  run: async (workspace) => {
    const pi = await installPi(workspace)
    const packages = 'packages' in pi ? pi.packages : undefined
    const whole: LongSamples[] = []
    for (const entries of sizes) whole.push(await measured(workspace, { entries, compacted: false, packages }))
    const compacted: LongSamples[] = []
    for (const entries of new Set([...flatSizes, ...sizes]))
      compacted.push(await measured(workspace, { entries, compacted: true, packages }))
    const [appends] = await runBundled<Appends>(workspace, 'appends-program', [[]])
    const notes = 'missing' in pi ? [`The comparison with pi is left out: ${pi.missing}`] : []
    const all = [...whole, ...compacted].toSorted(bySize)
    return sessionsReport({ samples: all, appends, flatSizes, notes })
  },
}

interface LongCase {
  readonly entries: number
  readonly compacted: boolean
  /** pi's packages, if it is installed. */
  readonly packages: string | undefined
}

/**
 * The sessions are opened in turns, so that a slow phase affects both; ours as an earlier opening left it: see `first`.
 */
async function measured(workspace: Workspace, { entries, compacted, packages }: LongCase): Promise<LongSamples> {
  const folder = path.join(workspace.folder, `${entries}-${compacted ? 'compacted' : 'whole'}`)
  const [home, piFile] = [path.join(folder, 'home'), path.join(folder, 'pi.jsonl')]
  mkdirSync(home, { recursive: true })
  const run = <Output>(args: readonly string[][]) =>
    runBundled<Output>(workspace, 'sessions-program', args, {
      flags: args[0]?.[0] === 'pi' ? 'none' : 'of the command',
    })
  const [written] = await run<WrittenLong>([
    ['write', home, piFile, String(entries), compacted ? 'compacted' : 'whole'],
  ])
  if (written === undefined) throw new Error('Nothing was written')
  const bytes = { log: statSync(written.file).size, pi: statSync(piFile).size }
  const [ours, pi]: [OpenedLong[], OpenedLong[]] = [[], []]
  const first: ClosedLong[] = []
  for (let round = 0; round < rounds; round++) {
    if (round > 0) rmSync(stateSnapshotPath(written.file), { force: true })
    first.push(...(await run<ClosedLong>([['close', home, written.session]])))
    const copy = path.join(folder, `home-${round}`)
    cpSync(home, copy, { recursive: true })
    ours.push(...(await run<OpenedLong>([['ours', copy, written.session]])))
    rmSync(copy, { recursive: true })
    if (packages !== undefined) pi.push(...(await run<OpenedLong>([['pi', packages, piFile]])))
  }
  rmSync(folder, { recursive: true })
  return { entries, compacted, bytes, first, ours, pi }
}

function bySize(one: LongSamples, other: LongSamples): number {
  return one.entries - other.entries || Number(one.compacted) - Number(other.compacted)
}
