// Tests the log file of a background server: its mode, its size limit and unsafe folders.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  linkSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openServerLog } from '../../../lib/server/launch/server-log-file.ts'

let folder: string
let socket: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rxpi-log-'))
  socket = join(folder, 'rxpi.sock')
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function say(text: string): void {
  const { descriptor } = openServerLog(socket)
  writeSync(descriptor, text)
  closeSync(descriptor)
}

describe("a background server's log", () => {
  it.each([0o000, 0o077, 0o777])('is private under umask %o, and is appended to', (mask) => {
    const before = process.umask(mask)
    try {
      say('one\n')
      say('two\n')
    } finally {
      process.umask(before)
    }
    expect(statSync(`${socket}.log`).mode & 0o7777).toBe(0o600)
    expect(readFileSync(`${socket}.log`, 'utf8')).toBe('one\ntwo\n')
  })

  it('is emptied when it has grown large', () => {
    say('x'.repeat(1_048_577))
    say('new\n')
    expect(readFileSync(`${socket}.log`, 'utf8')).toBe('new\n')
  })

  it.each([
    ['a symbolic link', (other: string, log: string) => symlinkSync(other, log)],
    ['a hard link', (other: string, log: string) => linkSync(other, log)],
  ])('is refused if %s is in its place, and the target stays unchanged', (_, make) => {
    const other = join(folder, 'other')
    writeFileSync(other, 'mine', { mode: 0o644 })
    make(other, `${socket}.log`)
    expect(() => openServerLog(socket)).toThrow(expect.objectContaining({ code: 'unsafe_socket' }))
    expect([readFileSync(other, 'utf8'), statSync(other).mode & 0o777]).toEqual(['mine', 0o644])
  })

  it('is refused in a folder that other users can read', () => {
    chmodSync(folder, 0o755)
    expect(() => openServerLog(socket)).toThrow(expect.objectContaining({ code: 'unsafe_socket' }))
  })

  it('is refused at once if a pipe is in its place', () => {
    expect(spawnSync('mkfifo', [`${socket}.log`]).status).toBe(0)
    const module = new URL('../../../lib/server/launch/server-log-file.ts', import.meta.url).href
    const attempt = `try { (await import('${module}')).openServerLog('${socket}') } catch ({ code }) { console.log(code) }`
    const options = { encoding: 'utf8', timeout: 15_000 } as const
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', attempt], options)
    expect(stdout).toBe('storage\n') // the pipe has no reader

    const reader = openSync(`${socket}.log`, constants.O_RDWR)
    try {
      expect(() => openServerLog(socket)).toThrow(expect.objectContaining({ code: 'unsafe_socket' }))
    } finally {
      closeSync(reader)
    }
  })

  it.runIf(process.geteuid?.() === 0)('is refused if it belongs to another user', () => {
    say('mine\n')
    chownSync(`${socket}.log`, 65_534, 65_534)
    expect(() => openServerLog(socket)).toThrow(expect.objectContaining({ code: 'unsafe_socket' }))
  })
})
