// Tests the sync of folders.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { syncFolders } from '../../../lib/store/disk/file-system-port.ts'
import type { Failure } from '../../../lib/streams/values/failure.ts'
import { faultyFiles, systemError } from './faulty-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-folders-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function sync(error: Error | null, folders = [folder, tmpdir()]) {
  const files = faultyFiles()
  files.fsync = (_descriptor, done) => {
    files.calls.push('fsync')
    done(error)
  }
  return new Promise<{ failure: Failure | undefined; calls: string[] }>((resolve) => {
    syncFolders(files, folders, (failure) => resolve({ failure, calls: files.calls }))
  })
}

describe('syncFolders', () => {
  it('syncs and closes one after the other', async () => {
    expect(await sync(null)).toEqual({ failure: undefined, calls: ['fsync', 'closeSync', 'fsync', 'closeSync'] })
  })

  it('skips file systems that cannot sync a folder', async () => {
    expect((await sync(systemError('EINVAL'))).failure).toBeUndefined()
  })

  it.each([
    ['a sync that failed', () => sync(systemError('EIO')), 'EIO'],
    ['a folder that is gone', () => sync(null, ['/nowhere/at all']), 'ENOENT'],
  ])('reports %s and stops', async (_what, outcome, errno) => {
    const { failure, calls } = await outcome()
    expect(failure).toMatchObject({ code: 'storage', data: { errno } })
    expect(calls.filter((call) => call === 'fsync').length).toBeLessThanOrEqual(1)
  })
})
