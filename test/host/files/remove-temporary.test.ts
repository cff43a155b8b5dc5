// Tests the removal of a temporary folder: folders that refuse changes, and files of another user.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { removeTemporaryFolder } from '../../../lib/host/files/remove-temporary.ts'
import { otherUserProblem } from '../../support/other-user.ts'

const module = path.resolve('lib/host/files/remove-temporary.ts')
const ordinaryUser = 65_534
let top: string
const at = (...names: string[]) => path.join(top, ...names)

beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), 'rxpi-remove-'))
  mkdirSync(at('folder', 'cache', 'deep'), { recursive: true })
  mkdirSync(at('outside'), { mode: 0o500 })
  writeFileSync(at('folder', 'cache', 'deep', 'file'), '')
  symlinkSync(at('outside'), at('folder', 'link'))
})
afterEach(() => rmSync(top, { recursive: true }))

it('removes all, and passes over a folder that is not there', () => {
  removeTemporaryFolder(at('folder'))
  removeTemporaryFolder(at('folder'))
  expect([existsSync(at('folder')), existsSync(at('outside'))]).toEqual([false, true])
})

it.skipIf(otherUserProblem())('removes folders without the right to write, and does not throw if it cannot', () => {
  chmodSync(path.dirname(top), 0o711)
  for (const name of ['.', 'folder', 'folder/cache', 'folder/cache/deep', 'outside']) chownSync(at(name), ordinaryUser, ordinaryUser) // prettier-ignore
  for (const name of ['folder/cache/deep', 'folder/cache', 'folder']) chmodSync(at(name), 0o500)
  mkdirSync(at('other'))
  writeFileSync(at('other', 'file'), '')
  const script = `import { removeTemporaryFolder } from ${JSON.stringify(module)}; for (const folder of process.argv.slice(1)) removeTemporaryFolder(folder)`
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script, at('folder'), at('other')], {
    uid: ordinaryUser,
    gid: ordinaryUser,
    encoding: 'utf8',
  })
  expect(run).toMatchObject({ status: 0, stderr: '' })
  expect([existsSync(at('folder')), existsSync(at('other')), existsSync(at('outside'))]).toEqual([false, true, true])
})
