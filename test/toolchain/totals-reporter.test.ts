// Tests that a run with every kind of fault ends with a line that counts each of them.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isFull } from '../support/sample-size.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-totals-'))
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'))
})

afterEach(() => rmSync(folder, { recursive: true }))

/** Runs vitest over the given files; returns the last line that is not empty, and the exit code. */
async function lastLine(files: Readonly<Record<string, string>>): Promise<{ line: string | undefined; code: number }> {
  const head = `import { beforeAll, describe, expect, it } from 'vitest'\n`
  for (const [name, code] of Object.entries(files)) writeFileSync(path.join(folder, `${name}.test.js`), head + code)
  const reporter = path.resolve('test/support/totals-reporter.ts')
  const flags = ['run', '--root', folder, '--reporter', 'default', '--reporter', reporter]
  const vitest = path.resolve('node_modules/vitest/vitest.mjs')
  return new Promise((resolve) => {
    execFile(process.execPath, [vitest, ...flags], { cwd: folder }, (error, stdout) => {
      const line = stdout.trimEnd().split('\n').at(-1)
      resolve({ line, code: typeof error?.code === 'number' ? error.code : 0 })
    })
  })
}

describe('the closing line', () => {
  it.runIf(isFull)('counts passed tests', async () => {
    expect(await lastLine({ a: `it('a', () => expect(1).toBe(1)); it('b', () => {})` })).toEqual({
      line: '2 passed, 0 failed',
      code: 0,
    })
  })

  it('counts faults inside and outside of tests', async () => {
    const faults = {
      test: `it('fails', () => expect(1).toBe(2)); it('passes', () => {}); it.skip('is skipped', () => {})`,
      hook: `describe('s', () => { beforeAll(() => { throw new Error('hook') }); it('never runs', () => {}) })`,
      module: `import './nowhere.js'`,
      unhandled: `it('lets go', () => { void Promise.reject(new Error('unhandled')) })`,
    }
    expect(await lastLine(faults)).toEqual({ line: '2 passed, 4 failed, 2 skipped', code: 1 })
  })
})
