// The loop beside pi's agent core on the same input, alternating in one process.
import path from 'node:path'
import { argumentReport } from './argument-report.ts'
import { runBundled } from './bundled-program.ts'
import { coldReport } from './cold-report.ts'
import { deltasReport } from './deltas-report.ts'
import { heapReport } from './heap-report.ts'
import { joinReports } from './join-reports.ts'
import { listenerReport } from './listener-report.ts'
import { installPi, piVersion } from './pi-install.ts'
import { runPlain } from './plain-program.ts'
import type { Benchmark, Report, Workspace } from './report.ts'
import { turnsReport } from './turns-report.ts'
import type { ArgumentSamples } from './versus-pi-argument-program.ts'
import type { ColdMessage } from './versus-pi-cold-program.ts'
import type { DeltaSamples } from './versus-pi-deltas-program.ts'
import type { HeldHeap } from './versus-pi-heap-program.ts'
import type { ListenerSamples } from './versus-pi-listener-program.ts'
import type { TurnSamples } from './versus-pi-turns-program.ts'

const coldRounds = 9

export const versusPi: Benchmark = {
  name: 'versus-pi',
  about: `a session with its file log beside the Agent of pi ${piVersion}, which keeps no log, in one process`,
  run: async (workspace) => {
    const pi = await installPi(workspace)
    if ('missing' in pi) return aloneReport(workspace, pi.missing)
    const { packages } = pi
    const [deltas = []] = await runBundled<DeltaSamples[]>(workspace, 'versus-pi-deltas-program', [[packages]])
    const built = path.join(workspace.root, 'dist/lib')
    const inTurns = Array.from({ length: coldRounds }, () => [['ours', built], ['pi', packages], ['bare']]).flat()
    const first = await runPlain<ColdMessage>(workspace, 'versus-pi-cold-program', inTurns)
    const turns = await runBundled<TurnSamples>(workspace, 'versus-pi-turns-program', [[packages]])
    const [ours, theirs] = await runBundled<HeldHeap>(workspace, 'versus-pi-heap-program', [['ours'], ['pi', packages]])
    const calls = await runBundled<ArgumentSamples>(workspace, 'versus-pi-argument-program', [[packages]])
    const listeners = await runBundled<ListenerSamples>(workspace, 'versus-pi-listener-program', [[packages]])
    return joinReports([
      deltasReport(deltas),
      coldReport(first),
      ...turns.map(turnsReport),
      ...(ours === undefined ? [] : [heapReport(ours, theirs)]),
      ...calls.map(argumentReport),
      ...listeners.map(listenerReport),
    ])
  },
}

/** The figures that need no pi. */
async function aloneReport(workspace: Workspace, missing: string): Promise<Report> {
  const heaps = await runBundled<HeldHeap>(workspace, 'versus-pi-heap-program', [['ours']])
  const calls = await runBundled<ArgumentSamples>(workspace, 'versus-pi-argument-program', [[]])
  const notes = [`Only what needs no pi was measured: ${missing}`]
  return joinReports([
    deltasReport([]),
    ...heaps.map((heap) => heapReport(heap)),
    ...calls.map(argumentReport),
    { tables: [], targets: [], notes },
  ])
}
