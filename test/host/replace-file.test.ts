import fs, { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { replaceFile } from '../../lib/host/replace-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-replace-'))
})
afterEach(() => rmSync(folder, { recursive: true }))
const { signal } = new AbortController()

it('creates a file with the mode that is asked for, and gives it to the one that is there', async () => {
  const file = path.join(folder, 'file')
  await replaceFile(file, 'one', signal, { mode: 0o600, synced: false })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  writeFileSync(file, 'two', { mode: 0o644 })
  await replaceFile(file, 'three', signal, { mode: 0o600 })
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['three', 0o600])
})

it('keeps the mode of the file where none is asked for', async () => {
  const file = path.join(folder, 'file')
  writeFileSync(file, 'one', { mode: 0o640 })
  await replaceFile(file, 'two', signal)
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['two', 0o640])
})

it('writes all of the content where the system takes only part of it at a time', async () => {
  const { write } = fs
  const part = (
    ...[descriptor, text, position, , done]: [number, string, number, string, (...told: unknown[]) => void]
  ) => {
    write(descriptor, text.slice(0, 3), position, 'utf8', done) // as it does where the disk is nearly full
  }
  vi.spyOn(fs, 'write').mockImplementation(part as unknown as typeof write)
  const file = path.join(folder, 'file')
  await replaceFile(file, 'one and two', signal)
  expect(readFileSync(file, 'utf8')).toBe('one and two')
})

it('leaves the old file and no trace when it was aborted', async () => {
  const file = path.join(folder, 'file')
  writeFileSync(file, 'one')
  await expect(replaceFile(file, 'two', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['file'], 'one'])
})
