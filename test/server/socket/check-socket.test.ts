// Tests the checks of the socket and its folder: mode, owner and links.
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Server } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkSocketFolder, checkSocket } from '../../../lib/server/socket/check-socket.ts'

const isRoot = process.geteuid?.() === 0
let top: string
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'rxpi-door-'))
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

const unsafe = (text: string): unknown =>
  expect.objectContaining({ code: 'unsafe_socket', message: expect.stringContaining(text) as unknown })

describe('the folder of the socket [S8a]', () => {
  it('is created with mode 0700 whatever the umask', () => {
    for (const mask of [0o000, 0o077, 0o777]) {
      const folder = join(top, mask.toString(8))
      const before = process.umask(mask)
      try {
        expect(checkSocketFolder(join(folder, 'a.sock'), { make: true })).toBe(true)
      } finally {
        process.umask(before)
      }
      expect(statSync(folder).mode & 0o7777).toBe(0o700)
    }
  })

  it('may be missing if it is only checked', () => {
    expect(checkSocketFolder(join(top, 'none/a.sock'))).toBe(false)
  })

  it('is not created if its parent is missing', () => {
    expect(() => checkSocketFolder(join(top, 'no/ne/a.sock'), { make: true })).toThrow(
      expect.objectContaining({
        code: 'storage',
        message: expect.stringContaining('make the folder above it') as unknown,
      }),
    )
  })

  it.each([0o755, 0o770, 0o777, 0o500, 0o000])('with mode %o is refused', (mode) => {
    const folder = join(top, 'f')
    mkdirSync(folder)
    chmodSync(folder, mode)
    expect(() => checkSocketFolder(join(folder, 'a.sock'), { make: true })).toThrow(
      unsafe(`has mode ${mode.toString(8)}`),
    )
    expect(statSync(folder).mode & 0o777).toBe(mode)
  })

  it('is refused if it is a symbolic link, even to a private folder of this user', () => {
    mkdirSync(join(top, 'real'), { mode: 0o700 })
    symlinkSync(join(top, 'real'), join(top, 'link'))
    expect(() => checkSocketFolder(join(top, 'link/a.sock'))).toThrow(unsafe('is a symbolic link'))
    expect(() => checkSocketFolder(join(top, 'link/a.sock'))).toThrow(
      expect.objectContaining({ data: { path: join(top, 'link') } }),
    )
    symlinkSync(join(top, 'nowhere'), join(top, 'dangling'))
    expect(() => checkSocketFolder(join(top, 'dangling/a.sock'), { make: true })).toThrow(unsafe('is a symbolic link'))
  })

  it('is refused if it is a file', () => {
    writeFileSync(join(top, 'file'), '')
    expect(() => checkSocketFolder(join(top, 'file/a.sock'), { make: true })).toThrow(unsafe('is not a folder'))
  })

  it('is refused below a world-writable folder, unless that is sticky', () => {
    const open = join(top, 'open')
    mkdirSync(join(open, 'f'), { recursive: true, mode: 0o700 })
    chmodSync(open, 0o777)
    expect(() => checkSocketFolder(join(open, 'f/a.sock'))).toThrow(unsafe('can be written by everybody'))
    chmodSync(open, 0o1777)
    expect(checkSocketFolder(join(open, 'f/a.sock'))).toBe(true)
  })

  it('is refused below a private folder in a world-writable one', () => {
    const open = join(top, 'open')
    mkdirSync(join(open, 'private/f'), { recursive: true, mode: 0o700 })
    chmodSync(open, 0o777)
    expect(() => checkSocketFolder(join(open, 'private/f/a.sock'))).toThrow(unsafe(`${open} above the socket`))
  })

  it('may be reached through a link above it, whose target is checked', () => {
    const open = join(top, 'open')
    mkdirSync(join(top, 'private/f'), { recursive: true, mode: 0o700 })
    mkdirSync(join(open, 'private/f'), { recursive: true, mode: 0o700 })
    chmodSync(open, 0o777)
    symlinkSync(join(top, 'private'), join(top, 'good'))
    symlinkSync(join(open, 'private'), join(top, 'bad'))
    expect(checkSocketFolder(join(top, 'good/f/a.sock'))).toBe(true)
    expect(() => checkSocketFolder(join(top, 'bad/f/a.sock'))).toThrow(unsafe('can be written by everybody'))
  })

  it.runIf(isRoot)('may be below folders of the system, but not be one', () => {
    const folder = join(top, 'own')
    mkdirSync(folder, { mode: 0o700 })
    vi.spyOn(process, 'geteuid').mockReturnValue(65_534)
    expect(() => checkSocketFolder(join(folder, 'a.sock'))).toThrow(unsafe('belongs to user 0'))
    chownSync(folder, 65_534, 65_534)
    expect(checkSocketFolder(join(folder, 'a.sock'))).toBe(true)
  })

  it.runIf(isRoot)('is refused if it, or a folder above it, belongs to another user', () => {
    const folder = join(top, 'theirs')
    mkdirSync(join(folder, 'f'), { recursive: true, mode: 0o700 })
    chownSync(folder, 65_534, 65_534)
    expect(() => checkSocketFolder(join(folder, 'a.sock'))).toThrow(unsafe('belongs to user 65534'))
    expect(() => checkSocketFolder(join(folder, 'f/a.sock'))).toThrow(unsafe('belongs to user 65534'))
  })
})

describe("the file at the socket's path [S8a]", () => {
  let server: Server
  let path: string
  beforeEach(async () => {
    path = join(top, 'a.sock')
    server = createServer().listen(path)
    await once(server, 'listening')
    chmodSync(path, 0o600)
  })
  afterEach(async () => {
    server.close()
    await once(server, 'close')
  })

  it('is a private socket of this user, or missing', () => {
    expect(checkSocket(path)).toBe(true)
    expect(checkSocket(join(top, 'none'))).toBe(false)
  })

  it('is refused if it is a link or a file, and stays as it is', () => {
    symlinkSync(path, join(top, 'link'))
    expect(() => checkSocket(join(top, 'link'))).toThrow(unsafe('is a symbolic link'))
    writeFileSync(join(top, 'file'), 'mine')
    expect(() => checkSocket(join(top, 'file'))).toThrow(unsafe('is not a socket'))
    expect(statSync(join(top, 'file')).size).toBe(4)
  })

  it.each([0o666, 0o660, 0o755, 0o602])('is refused with mode %o', (mode) => {
    chmodSync(path, mode)
    expect(() => checkSocket(path)).toThrow(unsafe(`has mode ${mode.toString(8)}`))
  })

  it.runIf(isRoot)('is refused if it belongs to another user', () => {
    chownSync(path, 65_534, 65_534)
    expect(() => checkSocket(path)).toThrow(unsafe('belongs to user 65534'))
  })
})
