import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { v8Flags } from './scripts/checks/v8-flags.ts'
import { divideTestFiles } from './test/support/own-process.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

const files = divideTestFiles(import.meta.dirname)

export default defineConfig({
  define: { RXPI_VERSION: JSON.stringify(version) },
  test: {
    // A process and its imports take 0.25 s of CPU time a file, so most files share three: docs/decisions/0112.
    projects: [
      { extends: true, test: { name: 'own', include: [...files.own] } },
      { extends: true, test: { name: 'programs', include: [...files.programs], isolate: false } },
      { extends: true, test: { name: 'shared', include: [...files.shared], isolate: false, execArgv: [...v8Flags] } },
    ],
    globalSetup: [
      'test/support/ensure-validators.ts',
      'test/support/compile-cache.ts',
      'test/support/temporary-folders.ts',
    ],
    // Each file fails where it leaves timers, sockets, processes or files behind.
    setupFiles: ['test/support/match-patterns.ts', 'test/support/watch-leaks.ts'],
    reporters: ['default', './test/support/totals-reporter.ts'],
    // Three processes for two cores: a test that waits for a process or a timer leaves its core to another.
    pool: 'forks',
    maxWorkers: 3,
    // The long suites run whole with RXPI_FULL, and have a night's time.
    testTimeout: process.env['RXPI_FULL'] === undefined ? 20_000 : 600_000,
    hookTimeout: 60_000,
    // A test that waits for something on another machine's clock is wrong; one that hangs must say so.
    retry: 0,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
})
