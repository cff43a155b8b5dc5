// Tests the command `trust_folder`: its report, its answers and its refusals.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { trustFolder } from '../../../lib/services/trust/trust-folder.ts'
import { resultOf } from '../../support/result-of.ts'

let [top, cwd] = ['', '']
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-command-')))
  cwd = path.join(top, 'project')
  mkdirSync(path.join(cwd, '.rxpi'), { recursive: true })
  writeFileSync(path.join(cwd, '.rxpi', 'settings.json'), '{}')
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

const ask = (more: { answer?: 'trust' | 'never' | 'forget'; digest?: string } = {}) =>
  resultOf(trustFolder({ cwd, ...more }, path.join(top, 'state')))

it('reports each file with its digest, and stores the answer to exactly these [COMMAND-trust_folder]', async () => {
  const report = await ask()
  expect(report).toMatchObject({ folder: cwd, trusted: false, state: 'untrusted', files: [{ path: '.rxpi/settings.json', bytes: 2 }] }) // prettier-ignore
  await expect(ask({ answer: 'trust' })).rejects.toMatchObject({ code: 'bad_request' })
  await expect(ask({ answer: 'trust', digest: 'a'.repeat(64) })).rejects.toMatchObject({ code: 'bad_request' })
  const { digest = '' } = report
  expect(await ask({ answer: 'trust', digest })).toMatchObject({ trusted: true, state: 'trusted', digest })
  expect(await ask()).toMatchObject({ trusted: true })
  expect(await ask({ answer: 'never' })).toMatchObject({ trusted: false, state: 'never' })
  expect(await ask({ answer: 'forget' })).toMatchObject({ trusted: false, state: 'untrusted' })
})

it('lists each command that trust lets run, and a changed one needs another answer [S2c]', async () => {
  const hook = (command: string): void => {
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }], Stop: [{ hooks: [{ type: 'command', command: 'b' }] }] } // prettier-ignore
    writeFileSync(path.join(cwd, '.rxpi', 'settings.json'), JSON.stringify({ hooks }))
  }
  hook('a')
  const { hooks, digest = '' } = await ask()
  expect(hooks).toEqual([
    { event: 'PreToolUse', matcher: 'Bash', command: 'a' },
    { event: 'Stop', command: 'b' },
  ])
  expect((await ask({ answer: 'trust', digest })).trusted).toBe(true)
  hook('changed')
  expect(await ask()).toMatchObject({ trusted: false, state: 'changed', hooks: [{ command: 'changed' }, {}] })
  writeFileSync(path.join(cwd, '.rxpi', 'settings.json'), '{')
  expect((await ask()).hooks).toBeUndefined()
})

it('refuses a folder that is not there [COMMAND-trust_folder]', async () => {
  await expect(resultOf(trustFolder({ cwd: path.join(top, 'none') }, top))).rejects.toMatchObject({
    code: 'bad_request',
  })
})
