// Tests the private files for long output.
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSpillFile } from '../../../lib/host/files/spill-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-spill-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const create = (maxBytes?: number) =>
  createSpillFile({ folder: path.join(folder, 'spill'), sessionId: 'aaaaaaaaaaaa', ...(maxBytes && { maxBytes }) })

describe('createSpillFile', () => {
  it('stores the data in a private file of a private folder [S17a]', () => {
    const spill = create()
    spill.write('one ')
    spill.write('ö😀')
    spill.close()
    expect(readFileSync(spill.path ?? '', 'utf8')).toBe('one ö😀')
    expect(statSync(spill.path ?? '').mode & 0o777).toBe(0o600)
    for (const name of ['spill', 'spill/aaaaaaaaaaaa'])
      expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o700)
    expect([spill.isCapped, spill.problem]).toEqual([false, undefined])
  })

  it('creates each file under a new name', () => {
    const files = [create(), create()]
    for (const file of files) file.close()
    expect(new Set(files.map((file) => file.path)).size).toBe(2)
  })

  it('stops at its cap, for good', () => {
    const spill = create(10)
    spill.write('123456')
    spill.write('7890ab')
    spill.write('x')
    spill.close()
    expect(readFileSync(spill.path ?? '', 'utf8')).toBe('123456')
    expect(spill.isCapped).toBe(true)
  })

  it('holds 256 MiB by default [S17c]', () => {
    const spill = create()
    const piece = 'x'.repeat(64 * 2 ** 20)
    for (let count = 0; count < 4; count += 1) spill.write(piece)
    expect(spill.isCapped).toBe(false)
    spill.write('x')
    spill.close()
    expect(statSync(spill.path ?? '').size).toBe(256 * 2 ** 20)
    expect(spill.isCapped).toBe(true)
    spill.remove()
  })

  it('counts bytes, not characters', () => {
    const spill = create(10)
    spill.write('öööö')
    spill.write('abc')
    spill.close()
    expect([readFileSync(spill.path ?? '', 'utf8'), spill.isCapped]).toEqual(['öööö', true])
  })

  it('can be removed, open or closed', () => {
    const spill = create()
    spill.write('secret')
    spill.remove()
    expect(readdirSync(path.join(folder, 'spill/aaaaaaaaaaaa'))).toEqual([])
    spill.write('more')
    spill.close()
    expect(existsSync(spill.path ?? '')).toBe(false)
  })

  it.each([
    ['a folder that is a link', () => symlinkSync(tmpdir(), path.join(folder, 'spill')), /symbolic link/],
    ['a file at the path of the folder', () => writeFileSync(path.join(folder, 'spill'), ''), /spill/],
  ])('reports the problem with %s, and does nothing [S17a]', (_, prepare, problem) => {
    prepare()
    const spill = create()
    spill.write('text')
    spill.close()
    spill.remove()
    expect([spill.path, spill.problem]).toEqual([undefined, expect.stringMatching(problem)])
  })

  it.each(['', '..', 'a/b', '../up', 'a'.repeat(65), 'a\0'])(
    'refuses %j as the name of a folder [S9a]',
    (sessionId) => {
      const spill = createSpillFile({ folder: path.join(folder, 'spill'), sessionId })
      expect([spill.path, spill.problem]).toEqual([undefined, 'the session id cannot name a folder'])
      expect(existsSync(path.join(folder, 'spill'))).toBe(false)
    },
  )
})
