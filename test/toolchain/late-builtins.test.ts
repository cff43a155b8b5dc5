// Tests that an expensive built-in module of Node is loaded at its first use only.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { expect, it, onTestFinished } from 'vitest'
import { lateBuiltins } from '../../scripts/build/late-builtins.ts'

/** Whether `crypto` is loaded before and after the call, and the result of the call. */
const program = `
import { createHash } from 'node:crypto'
const isLoaded = () => process.moduleLoadList.includes('NativeModule crypto')
const before = isLoaded()
const digest = createHash('sha256').update('a').digest('hex').slice(0, 8)
console.log(JSON.stringify([before, digest, isLoaded()]))`

it('is loaded at the first call', async () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-late-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(path.join(folder, 'main.js'), program)
  const made = await rolldown({
    cwd: folder,
    platform: 'node',
    input: path.join(folder, 'main.js'),
    plugins: [lateBuiltins(folder)],
  })
  const out = path.join(folder, 'out.mjs')
  await made.write({ file: out, format: 'es' })
  await made.close()
  expect(JSON.parse(execFileSync(process.execPath, [out], { encoding: 'utf8' }))).toEqual([false, 'ca978112', true])
})
