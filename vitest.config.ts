import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

export default defineConfig({
  define: { RXPI_VERSION: JSON.stringify(version) },
  test: {
    // dist and the packed tarballs hold no tests of ours; nothing else is looked at.
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: ['test/support/ensure-validators.ts'],
    // Each file fails where it leaves timers, sockets, processes or files behind.
    setupFiles: ['test/support/watch-leaks.ts'],
    reporters: ['default', './test/support/totals-reporter.ts'],
    // Each file has a process of its own (docs/decisions/0112); two at a time, on two cores.
    pool: 'forks',
    maxWorkers: 2,
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
