// Provides a place for tests against recordings, and the folder in which they were made.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createWorkspace } from '../../scripts/compat/harness/place.ts'
import type { Workspace } from '../../scripts/compat/harness/place.ts'

export const root = process.cwd()
export const fixtures = path.join(root, 'test/compat/fixtures')
export const recordedIn = '/tmp/rxpi-recorded'

/** Its path has the same length as that of the recordings: token counts and shortened texts depend on the length. */
export function recordedWorkspace(): Workspace {
  const workspace = createWorkspace(mkdtempSync(recordedIn.slice(0, -6)))
  // The earlier build asked about no call, and had no sandbox.
  writeFileSync(
    path.join(workspace.top, 'config/rxpi/settings.json'),
    JSON.stringify({ approve: 'auto', sandbox: { mode: 'off' } }),
  )
  return workspace
}

/** Milliseconds that a build may take on a busy machine. */
export const buildLimitMs = 300_000

/** Builds the command if the sources are newer; give the hook that calls it `buildLimitMs`. */
export function ensureBuilt(): void {
  execFileSync(process.execPath, ['scripts/build/ensure-built.ts'], { cwd: root, stdio: 'pipe' })
}
