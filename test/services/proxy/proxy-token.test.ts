// Tests `proxyToken`: the file's mode, the environment variable, and refused tokens.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { proxyToken } from '../../../lib/services/proxy/proxy-token.ts'

let home: string
let file: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'rxpi-token-'))
  file = join(home, 'proxy-token')
})
afterEach(() => {
  rmSync(home, { recursive: true })
})

describe('proxyToken', () => {
  it('creates a token once, readable by this user alone', () => {
    const made = proxyToken({}, home)
    expect(made.from).toBe(file)
    expect(made.token).toMatch(/^[\w-]{43}$/)
    expect(readFileSync(file, 'utf8')).toBe(`${made.token}\n`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(proxyToken({}, home)).toEqual(made)
  })

  it('uses the token of the environment, and then creates none', () => {
    const token = 'told-by-the-environment'
    expect(proxyToken({ RXPI_PROXY_TOKEN: token }, home)).toEqual({ token, from: 'RXPI_PROXY_TOKEN' })
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined()
  })

  it.each(['short', 'sixteen letters and a space', 'zażółć gęślą jaźń-123'])('refuses %j', (token) => {
    expect(() => proxyToken({ RXPI_PROXY_TOKEN: token }, home)).toThrow(
      /RXPI_PROXY_TOKEN is too short or holds a space/,
    )
    writeFileSync(file, token, { mode: 0o600 })
    expect(() => proxyToken({}, home)).toThrow(`The token of ${file}`)
  })

  it('refuses a file that others can read, and a link', () => {
    writeFileSync(file, 'a-token-that-others-read')
    chmodSync(file, 0o640)
    expect(() => proxyToken({}, home)).toThrow('can be read by other users')
    rmSync(file)
    symlinkSync('/etc/hostname', file)
    expect(() => proxyToken({}, home)).toThrow('is a symbolic link')
  })
})
