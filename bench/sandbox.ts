// A command in the sandbox beside the same command without one: from its start to its end.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { concatMap, firstValueFrom, lastValueFrom, map, of, ReplaySubject, share } from 'rxjs'
import type { Observable } from 'rxjs'
import { spawnProcess } from '../lib/host/process/spawn-process.ts'
import type { SpawnOptions } from '../lib/host/process/spawn-process.ts'
import { openSharedNetwork } from '../lib/host/sandbox/network/shared-network.ts'
import { probeSandbox } from '../lib/host/sandbox/probe-sandbox.ts'
import { spawnInside } from '../lib/host/sandbox/spawn-inside.ts'
import type { Benchmark, Report } from './report.ts'
import { median } from './statistics.ts'

const rounds = 41

export const sandbox: Benchmark = {
  name: 'sandbox',
  about: 'bash -c true in the sandbox beside the same command without one, in turns',
  run: async () => {
    const probe = await firstValueFrom(probeSandbox(), { defaultValue: undefined })
    if (probe?.works !== true) return report([], [], probe?.message ?? 'the probe is silent')
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-bench-')))
    const at = (name: string): string => path.join(folder, name)
    for (const name of ['work', 'temp']) mkdirSync(at(name))
    const env = { PATH: '/usr/bin:/bin', HOME: homedir() }
    const options: SpawnOptions = { program: '/bin/bash', args: ['-c', 'true'], cwd: at('work'), env }
    const profile = {
      name: 'workspace',
      workspace: at('work'),
      temp: at('temp'),
      homeFolder: homedir(),
      rxpiFolders: [],
    } as const
    // as in a session, which opens it with its first command
    const network$ = openSharedNetwork(probe.program.program).pipe(share({ connector: () => new ReplaySubject(1) }))
    const session = network$.subscribe()
    const network = await firstValueFrom(network$, { defaultValue: undefined })
    const bare: number[] = []
    const inside: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await milliseconds(spawnProcess(options)))
      inside.push(await milliseconds(spawnInside({ ...profile, ...(network && { network }) }, options, probe.program)))
    }
    session.unsubscribe()
    rmSync(folder, { recursive: true, force: true })
    return report(bare.slice(1), inside.slice(1), undefined)
  },
}

/** From the subscription to the last event. */
function milliseconds(events$: Observable<unknown>): Promise<number> {
  const timed$ = of(undefined).pipe(
    map(() => performance.now()),
    concatMap((began) => events$.pipe(map(() => performance.now() - began))),
  )
  return lastValueFrom(timed$, { defaultValue: 0 })
}

function report(bare: readonly number[], inside: readonly number[], problem: string | undefined): Report {
  const isMeasured = bare.length > 0
  return {
    tables: [
      {
        title: 'milliseconds from the start to the end event (medians)',
        columns: [{ title: 'way' }, { title: 'ms', digits: 1 }],
        rows: isMeasured
          ? [
              ['without a sandbox', median(bare)],
              ['in the sandbox', median(inside)],
            ]
          : [],
      },
    ],
    targets: [
      {
        what: 'a command in the sandbox ÷ the same without',
        measured: isMeasured ? median(inside) / median(bare) : undefined,
        limit: 3.5,
        unit: '×',
      },
    ],
    notes: problem === undefined ? [] : [problem],
  }
}
