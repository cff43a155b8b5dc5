// Tests the error text for a program that cannot be started.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFailure } from '../../../lib/host/process/spawn-process.ts'

const systemError = (errno: string): Error => Object.assign(new Error(`spawn bash ${errno}`), { code: errno })

describe('startFailure', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rxpi-start-'))
    symlinkSync('circle', join(folder, 'circle'))
  })
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })

  it.each([
    ['ENOENT', 'missing', 'bad_request', /bash: its working folder .*missing does not exist$/],
    [
      'EACCES',
      'circle',
      'bad_request',
      /bash: its working folder .*circle cannot be entered \(its symbolic links lead in a circle\)$/,
    ],
    ['EACCES', '.', 'bad_request', /^Could not start bash: permission denied$/],
    ['EAGAIN', '.', 'overloaded', /end some programs and try again$/],
    ['E2BIG', '.', 'bad_request', /^The command is too long/],
  ])('explains %s in %s', (errno, cwd, code, message) => {
    const failure = startFailure('bash', join(folder, cwd), systemError(errno))
    expect([failure.code, failure.message]).toEqual([code, expect.stringMatching(message)])
  })
})
