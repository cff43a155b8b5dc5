// Tests what the doctor reports about the state folder.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { doctor } from '../../../lib/services/doctor/doctor.ts'
import { fileAuthStorage } from '../../../lib/store/config/file-auth-storage.ts'
import { valuesOf } from '../../support/values-of.ts'

let folder: string
let home: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-doctor-'))
  home = path.join(folder, 'home')
})
afterEach(() => rmSync(folder, { recursive: true }))

async function stateFolder(): Promise<string> {
  const env = { RXPI_HOME: home, XDG_CONFIG_HOME: folder, HOME: folder, RXPI_LOCAL_MODELS_MS: '0' }
  const requests = { cwd: folder, env, model: 'demo/demo' }
  const [answer] = await valuesOf(doctor(requests, { env, version: '0', authStorage: fileAuthStorage({ home }) }))
  const check = answer?.checks.find(({ name }) => name === 'state folder')
  return `${check?.ok === true ? 'ok' : 'FAIL'} ${check?.message ?? ''}`
}

describe('doctor, of the state folder', () => {
  it.each<[string, () => void, RegExp]>([
    ['is created if it is missing', () => undefined, /^ok .*home \(created\)$/],
    ['is private', () => mkdirSync(home, { mode: 0o700 }), /^ok .*home$/],
    [
      'could be read by others',
      () => {
        mkdirSync(home)
        chmodSync(home, 0o755)
      },
      /^FAIL .* has mode 755, so other users can read it; run chmod 700 /,
    ],
    // sessions are not opened through a link: each of them would be refused
    ['is a link', () => symlinkSync(folder, home), /^FAIL .*home is a symbolic link; set RXPI_HOME to the folder/],
  ])('reports that it %s', async (_, make, notices) => {
    make()
    expect(await stateFolder()).toMatch(notices)
  })
})
