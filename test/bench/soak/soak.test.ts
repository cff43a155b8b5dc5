// A short soak of twenty seconds: `RXPI_FULL=1`. The long one is `npm run soak`.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'
import { soakReport } from '../../../bench/soak/soak-report.ts'
import { soak } from '../../../bench/soak/soak.ts'
import { isReached } from '../../../bench/report-text.ts'
import { withWorkspace } from '../../../bench/workspace.ts'

const root = path.resolve(import.meta.dirname, '../../..')

it.runIf(process.env['RXPI_FULL'])(
  'a server keeps its promises under clients, faults and storms',
  async () => {
    execFileSync(process.execPath, [path.join(root, 'scripts/build/ensure-built.ts')], { stdio: 'pipe' })
    const options = {
      minutes: 1 / 3,
      warmUpMinutes: 1 / 6,
      parts: 2,
      sessions: 6,
      clients: 4,
      editors: 1,
      seed: 1,
      sampleS: 2,
      everyMs: 300,
      runs: 4,
      restAfterS: 2,
    }
    const soaked = await withWorkspace(root, (workspace) => soak(workspace, { ...options, notify: () => undefined }))
    const { targets, notes } = soakReport(soaked)
    expect(
      targets.flatMap((target) => (isReached(target) === false ? [target] : [])),
      notes.join('\n'),
    ).toEqual([])
    expect(soaked.logs).toBeGreaterThan(options.sessions)
    expect(soaked.comparedStates).toBeGreaterThan(options.sessions)
  },
  180_000,
)
