// Tests the atomic replacement of a file.
import fs, { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EMPTY, Observable, Subject, concat, of, throwError } from 'rxjs'
import { replaceFile } from '../../../lib/host/files/replace-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-replace-'))
})
afterEach(() => rmSync(folder, { recursive: true }))
const { signal } = new AbortController()

it('creates a file with the requested mode, and sets it on an existing file', async () => {
  const file = path.join(folder, 'file')
  await replaceFile(file, 'one', signal, { mode: 0o600, synced: false })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  writeFileSync(file, 'two', { mode: 0o644 })
  await replaceFile(file, 'three', signal, { mode: 0o600 })
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['three', 0o600])
})

it('keeps the mode of the file if none is requested', async () => {
  const file = path.join(folder, 'file')
  writeFileSync(file, 'one', { mode: 0o640 })
  await replaceFile(file, 'two', signal)
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['two', 0o640])
})

it('writes the whole content if the system writes only parts of it', async () => {
  const { write } = fs
  const part = (
    ...[descriptor, text, position, , done]: [number, string, number, string, (...results: unknown[]) => void]
  ) => {
    write(descriptor, text.slice(0, 3), position, 'utf8', done) // as it does if the disk is nearly full
  }
  vi.spyOn(fs, 'write').mockImplementation(part as unknown as typeof write)
  const file = path.join(folder, 'file')
  await replaceFile(file, 'one and two', signal)
  expect(readFileSync(file, 'utf8')).toBe('one and two')
})

it('leaves the old file and no temporary file if it is aborted', async () => {
  const file = path.join(folder, 'file')
  writeFileSync(file, 'one')
  await expect(replaceFile(file, 'two', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['file'], 'one'])
})

describe('content that comes in pieces', () => {
  it('writes each piece as it comes, and replaces the file after the last one', async () => {
    const file = path.join(folder, 'file')
    const pieces$ = new Subject<string>()
    const written = replaceFile(file, pieces$, signal, { mode: 0o600 })
    await vi.waitUntil(() => pieces$.observed, { timeout: 10_000 })
    for (const piece of ['one ', '', 'and ']) pieces$.next(piece)
    const [beside = '', ...others] = readdirSync(folder)
    expect([readFileSync(path.join(folder, beside), 'utf8'), others]).toEqual(['one and ', []])
    pieces$.next('two')
    pieces$.complete()
    await written
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['file'], 'one and two'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('can be empty', async () => {
    const file = path.join(folder, 'file')
    await replaceFile(file, EMPTY, signal)
    expect(readFileSync(file, 'utf8')).toBe('')
  })

  it('leaves the old file and no temporary file if it fails', async () => {
    const file = path.join(folder, 'file')
    writeFileSync(file, 'old')
    const pieces$ = concat(
      of('new'),
      throwError(() => new Error('no more')),
    )
    await expect(replaceFile(file, pieces$, signal)).rejects.toThrow('no more')
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['file'], 'old'])
  })

  it('leaves the old file and no temporary file if it is aborted, and unsubscribes the pieces', async () => {
    const file = path.join(folder, 'file')
    writeFileSync(file, 'old')
    const controller = new AbortController()
    let isLeft = false
    const pieces$ = new Observable<string>((subscriber) => {
      subscriber.next('new')
      return () => {
        isLeft = true
      }
    })
    const written = replaceFile(file, pieces$, controller.signal)
    await vi.waitUntil(() => readdirSync(folder).length === 2, { timeout: 10_000 })
    controller.abort()
    await expect(written).rejects.toMatchObject({ name: 'AbortError' })
    expect([readdirSync(folder), readFileSync(file, 'utf8'), isLeft]).toEqual([['file'], 'old', true])
  })
})
