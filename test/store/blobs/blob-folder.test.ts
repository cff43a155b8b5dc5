// Tests the folder of blobs: content by hash, ownership, links and cleanup.
import { spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { blobFolder, blobName } from '../../../lib/store/blobs/blob-folder.ts'
import { faultyFiles } from '../disk/faulty-files.ts'

let home: string
let folder: string
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-blobs-'))
  folder = path.join(home, 'blobs')
})
afterEach(() => rmSync(home, { recursive: true }))

const bytes = Buffer.from('the bytes of a blob')
const hash = blobName(bytes)
const code = (expected: string) => expect.objectContaining({ code: expected }) as Error

describe('blobFolder', () => {
  it('stores bytes under their SHA-256, for this user alone', () => {
    const blobs = blobFolder(home)
    expect(blobs.write(hash, bytes)).toBe(path.join(folder, hash))
    expect(blobs.find(hash)).toEqual(bytes)
    expect(blobs.read({ blob: hash, bytes: bytes.length })).toEqual(bytes)
    expect([statSync(folder).mode & 0o777, statSync(path.join(folder, hash)).mode & 0o777]).toEqual([0o700, 0o600])
  })

  it('writes the same bytes once, and refreshes their time stamp', () => {
    const files = faultyFiles()
    const file = blobFolder(home, files).write(hash, bytes)
    utimesSync(file, 1, 1)
    blobFolder(home, files).write(hash, bytes)
    expect(files.calls).toEqual(['writeSync'])
    expect(Math.abs(statSync(file).mtimeMs - Date.now())).toBeLessThan(60_000)
  })

  it('rewrites them if other content has their name [S9b]', () => {
    const blobs = blobFolder(home)
    const file = blobs.write(hash, bytes)
    writeFileSync(file, 'torn by a power cut')
    expect(() => blobs.find(hash)).toThrow(code('storage'))
    blobs.write(hash, bytes)
    expect(blobs.find(hash)).toEqual(bytes)
  })

  it.each(['', '../../etc/passwd', `../${'a'.repeat(64)}`, 'A'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)}/x`])(
    'touches no path for the name %j [S9a]',
    (name) => {
      const blobs = blobFolder(home)
      expect(() => blobs.find(name)).toThrow(code('bad_request'))
      expect(() => blobs.touch(name)).toThrow(code('bad_request'))
      expect(() => blobs.write(name, bytes)).toThrow(code('bad_request'))
      expect(existsSync(folder)).toBe(false)
    },
  )

  it('explains that one cannot be read or marked', () => {
    const blobs = blobFolder(home)
    writeFileSync(folder, 'no folder')
    expect(() => blobs.find(hash)).toThrow(code('storage'))
    expect(() => blobs.touch(hash)).toThrow(code('storage'))
  })

  it('names a missing blob', () => {
    const lost = expect.objectContaining({ code: 'storage', data: { blob: hash } }) as Error
    expect(() => blobFolder(home).read({ blob: hash, bytes: 1 })).toThrow(lost)
    expect(blobFolder(home).touch(hash)).toBe(false)
  })

  it.runIf(process.platform === 'linux')('leaves no descriptor open', () => {
    const open = (): number => readdirSync('/proc/self/fd').length
    const before = open()
    const blobs = blobFolder(home)
    blobs.write(hash, bytes)
    blobs.write(hash, bytes)
    blobs.find(hash)
    expect(open()).toBe(before)
  })

  it('terminates if the system writes no bytes, and leaves no file', () => {
    const files = { ...faultyFiles(), writeSync: () => 0 }
    expect(() => blobFolder(home, files).write(hash, bytes)).toThrow('the system wrote nothing')
    expect(readdirSync(folder)).toEqual([])
  })

  it('reads nothing from a pipe, and does not wait for one', () => {
    mkdirSync(folder, { mode: 0o700 })
    expect(spawnSync('mkfifo', [path.join(folder, hash)]).status).toBe(0)
    const module = new URL('../../../lib/store/blobs/blob-folder.ts', import.meta.url).href
    const attempt = `console.log(String((await import('${module}')).blobFolder('${home}').find('${hash}')))`
    const options = { encoding: 'utf8', timeout: 15_000 } as const
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', attempt], options).stdout).toBe('undefined\n')
  })

  it.runIf(process.geteuid?.() === 0)('reads no file of another user', () => {
    const blobs = blobFolder(home)
    chownSync(blobs.write(hash, bytes), 65_534, 65_534)
    expect(blobs.find(hash)).toBeUndefined()
  })

  it('follows no link [S9c]', () => {
    const blobs = blobFolder(home)
    mkdirSync(folder, { mode: 0o700 })
    writeFileSync(path.join(home, 'elsewhere'), bytes)
    symlinkSync(path.join(home, 'elsewhere'), path.join(folder, hash))
    expect(blobs.find(hash)).toBeUndefined()
    blobs.write(hash, bytes)
    expect(statSync(path.join(folder, hash)).isFile()).toBe(true)
    expect(readdirSync(folder)).toEqual([hash])
  })

  it('refuses a folder that is a link [S9c]', () => {
    const elsewhere = path.join(home, 'elsewhere')
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, folder)
    expect(() => blobFolder(home).write(hash, bytes)).toThrow(code('storage'))
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it('reports a blob that it cannot read', () => {
    const blobs = blobFolder(home)
    expect(blobs.find(hash)).toBeUndefined()
    expect(blobs.touch(hash)).toBe(false)
    expect(() => blobs.read({ blob: hash, bytes: 1 })).toThrow(/is not in .*its content is lost/)
    blobs.write(hash, bytes)
    expect(() => blobs.read({ blob: hash, bytes: 1 })).toThrow(/has 19 bytes, but its line says 1/)
  })

  it('leaves no file on a full disk', () => {
    const files = faultyFiles()
    const blobs = blobFolder(home, files)
    files.space = 5
    expect(() => blobs.write(hash, bytes)).toThrow(expect.objectContaining({ data: { errno: 'ENOSPC' } }) as Error)
    expect(readdirSync(folder)).toEqual([])
    files.space = Infinity
    files.writeLimit = 7
    blobs.write(hash, bytes)
    expect(blobs.find(hash)).toEqual(bytes)
  })

  it('cleans up after dead processes: incomplete blobs are removed, half-removed ones restored', () => {
    mkdirSync(folder, { mode: 0o700 })
    const other = 'b'.repeat(64)
    writeFileSync(path.join(folder, `${other}.12-1.new`), 'half')
    writeFileSync(path.join(folder, `${hash}.12.removed`), bytes)
    blobFolder(home).write(blobName(Buffer.from('1')), Buffer.from('1'))
    expect(readdirSync(folder)).toHaveLength(3) // another process may use them
    const now = Date.now
    Date.now = () => now() + 2 * 60 * 60 * 1_000
    try {
      blobFolder(home).write(blobName(Buffer.from('2')), Buffer.from('2'))
    } finally {
      Date.now = now
    }
    expect(readdirSync(folder)).toHaveLength(3)
    expect(readFileSync(path.join(folder, hash))).toEqual(bytes)
  })
})
