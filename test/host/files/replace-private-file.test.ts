// Tests the atomic replacement of a private file.
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { replacePrivateFile } from '../../../lib/host/files/replace-file.ts'

const calls = vi.hoisted((): string[] => [])
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>()
  const fsyncSync: typeof real.fsyncSync = (descriptor) => {
    calls.push('fsync')
    real.fsyncSync(descriptor)
  }
  const renameSync: typeof real.renameSync = (from, to) => {
    calls.push('rename')
    real.renameSync(from, to)
  }
  return { ...real, fsyncSync, renameSync }
})

let folder: string
let file: string
beforeEach(() => {
  calls.length = 0
  folder = fs.mkdtempSync(path.join(tmpdir(), 'rxpi-private-'))
  file = path.join(folder, 'a.json')
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

describe('replacePrivateFile', () => {
  it('creates a file that only its user can read, and replaces it whole', () => {
    fs.writeFileSync(file, 'old and longer', { mode: 0o644 })
    replacePrivateFile(file, 'new')
    expect([fs.readFileSync(file, 'utf8'), fs.statSync(file).mode & 0o777]).toEqual(['new', 0o600])
    expect(fs.readdirSync(folder)).toEqual(['a.json'])
  })

  it('syncs the content before the rename, unless the content can be made again', () => {
    replacePrivateFile(file, 'kept')
    replacePrivateFile(file, 'made again', { synced: false })
    expect(calls).toEqual(['fsync', 'rename', 'rename'])
  })

  it('leaves the old file, and nothing beside it, if it cannot be replaced', () => {
    fs.mkdirSync(file)
    expect(() => replacePrivateFile(file, 'new')).toThrow(expect.objectContaining({ code: 'storage' }))
    expect(fs.readdirSync(folder)).toEqual(['a.json'])
  })
})
