// Tests lock files: content, creation and removal.
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLockFile, readLockFile, removeLockFile, replaceLockFile } from '../../../lib/store/locks/session-lock.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-lock-file-'))
  file = path.join(folder, 'log.lock')
})
afterEach(() => rmSync(folder, { recursive: true }))

const storage = (message: RegExp) =>
  expect.objectContaining({ code: 'storage', message: expect.stringMatching(message) as string }) as Error
/** The lowest free descriptor: unchanged if nothing was left open. */
function nextDescriptor(): number {
  const descriptor = openSync(folder, 'r')
  closeSync(descriptor)
  return descriptor
}

describe('a lock file', () => {
  it.each<[string, object, object]>([
    ['the first process of a container', { pid: 1, startTime: '1', bootId: '' }, {}],
    ['a process with a socket', { pid: 7, startTime: '', bootId: 'b', socket: '/run/s' }, {}],
    ['a process whose socket is no text', { pid: 7, startTime: '', bootId: 'b', socket: 5 }, { socket: undefined }],
  ])('names %s', (_, holder, otherwise) => {
    writeFileSync(file, JSON.stringify(holder))
    expect(readLockFile(file)?.holder).toEqual({ ...holder, ...otherwise })
  })

  it.each([
    { pid: 1.5, startTime: '', bootId: '' },
    { pid: 7, startTime: 5, bootId: '' },
    { pid: 7, startTime: '', bootId: 5 },
    { pid: 7, startTime: '' },
  ])('with the content %j names no process', (value) => {
    writeFileSync(file, JSON.stringify(value))
    expect(readLockFile(file)).not.toHaveProperty('holder')
  })

  it('leaves no descriptor open, however often it is created and read', () => {
    const before = nextDescriptor()
    expect([createLockFile(file, 'x'), createLockFile(file, 'y'), readLockFile(file)?.text]).toEqual([true, false, 'x'])
    expect(nextDescriptor()).toBe(before)
  })

  it('leaves no file beside it if it cannot be replaced', () => {
    mkdirSync(file)
    expect(() => replaceLockFile(file, 'x')).toThrow(storage(/Could not replace the lock/))
    expect(readdirSync(folder)).toEqual(['log.lock'])
  })

  it('is removed if it exists; anything but a file stays, with an error', () => {
    writeFileSync(file, 'x')
    removeLockFile(file)
    removeLockFile(file)
    expect(readdirSync(folder)).toEqual([])
    mkdirSync(file)
    expect(() => removeLockFile(file)).toThrow(storage(/Could not remove the lock/))
  })

  it('is replaced atomically, over the leftovers of a dead process', () => {
    writeFileSync(file, 'old')
    writeFileSync(`${file}.new`, 'half')
    replaceLockFile(file, 'new')
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['new', ['log.lock']])
  })
})
