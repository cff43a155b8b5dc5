// Tests which test files `npm run flaky` repeats: those that start programs or listen at sockets.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { machineTests } from '../../scripts/checks/machine-tests.ts'

let root: string
beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), 'rxpi-machine-'))))
afterEach(() => rmSync(root, { recursive: true }))

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, code] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), code)
  }
}

it('finds a file that starts a program, listens, or has a helper that does, however far away', () => {
  write({
    'test/a/spawns.test.ts': `import { spawn } from 'node:child_process'`,
    'test/a/by-helper.test.tsx': `import { far } from '../support/near.ts'`,
    'test/support/near.ts': `export { far } from './far.ts'\nimport './near.ts'`,
    'test/support/far.ts': `import { createServer } from 'node:net'\nimport { near } from './near.ts'`,
    'test/a/runs-node.test.ts': `run(process.execPath)`,
    'test/a/pure.test.ts': `import { marbles } from '../support/marbles.ts'\nimport { spawnProcess } from '../../lib/spawn.ts'`,
    'test/support/marbles.ts': `export const marbles = 1`,
    'lib/spawn.ts': `import { spawn } from 'node:child_process'`,
  })
  expect(machineTests(root)).toEqual(
    ['by-helper.test.tsx', 'runs-node.test.ts', 'spawns.test.ts'].map((name) => path.join('test/a', name)),
  )
})

it('finds the suites of the project that have processes and sockets', () => {
  const found = machineTests(path.resolve('.'))
  for (const folder of [
    'first-week',
    'first-hour',
    'end-to-end',
    'app/acp',
    'server/gateway',
    'mcp/connection',
    'services/mcp',
  ])
    expect(
      found.filter((name) => name.startsWith(`test/${folder}/`)),
      folder,
    ).not.toEqual([])
  expect(found).not.toContain('test/operators/run/own-stop-rules.test.ts')
})
