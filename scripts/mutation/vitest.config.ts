// Configures the tests of a mutation run: the files it names, one process after the other.
import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

const { projects: _, ...settings } = base.test ?? {}

export default defineConfig({
  ...base,
  test: {
    ...settings,
    include: (process.env['MUTATE_TESTS'] ?? '').split(' '),
    // the validators are copied, because generating them for each mutant would be slow
    globalSetup: [],
    maxWorkers: 1,
    reporters: [],
  },
})
