// Tests the removal of a session on a full disk: its index cannot be rewritten.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { blobFolder, blobName } from '../../../lib/store/blobs/blob-folder.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { readSessionIndex } from '../../../lib/store/sessions/session-index.ts'
import { valuesOf } from '../../support/values-of.ts'
import { appendEvents, custom, messageEnd, sampleHeader } from './sample-records.ts'
import { systemError } from '../disk/faulty-files.ts'

const disk = vi.hoisted(() => ({ isFull: false }))
vi.mock('../../../lib/host/files/replace-file.ts', async (original) => {
  const real = await original<typeof import('../../../lib/host/files/replace-file.ts')>()
  const replaceFile: typeof real.replaceFile = (...args) =>
    disk.isFull ? Promise.reject(systemError('ENOSPC')) : real.replaceFile(...args)
  return { replaceFile }
})

let home: string
beforeEach(() => {
  disk.isFull = false
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-full-'))
})
afterEach(() => rmSync(home, { recursive: true }))

it('a session is removed with its log and its large content also if its folder cannot be listed again', async () => {
  const store = fileStore({ home })
  const bytes = Buffer.from('large')
  const blob = blobFolder(home).write(blobName(bytes), bytes)
  const [gone, stays] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'] as const
  for (const id of [gone, stays]) {
    const log = store.create(sampleHeader({ id, cwd: '/tmp' }))
    appendEvents(log, [messageEnd('aaaaaaaa', id), ...(id === gone ? [custom({ blob: blobName(bytes) })] : [])])
    await valuesOf(log.close())
  }
  await valuesOf(store.list())
  const folder = path.dirname(store.fileOf(stays))
  expect(readSessionIndex(folder).size).toBe(2)
  disk.isFull = true
  await valuesOf(store.remove(gone))
  expect([existsSync(path.join(folder, 'index.json')), existsSync(blob)]).toEqual([false, false])
  const [list] = await valuesOf(store.list())
  expect(list?.logs.map(({ facts }) => facts.id)).toEqual([stays])
})
