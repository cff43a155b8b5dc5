import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { blobName } from '../../../lib/store/blobs/blob-folder.ts'
import { blobPiece } from '../../../lib/store/blobs/blob-folder.ts'
import { done } from '../../support/done.ts'

const mebibyte = 1_048_576
const bytes = Buffer.alloc(3 * mebibyte + 7, 'the bytes of a blob, and')
const hash = blobName(bytes)
let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-blob-piece-'))
  file = path.join(folder, hash)
  writeFileSync(file, bytes)
})
afterEach(() => rmSync(folder, { recursive: true }))

it.each([
  [0, 10],
  [mebibyte - 5, 10],
  [mebibyte, 10],
  [5, 2 * mebibyte],
  [mebibyte + 1, mebibyte],
  [0, 4 * mebibyte],
  [3 * mebibyte, 10],
  [3 * mebibyte + 7, 10],
  [Number.MAX_SAFE_INTEGER, 10],
])('from byte %d gives %d bytes at most, each in its place', (offset, limit) => {
  const piece = done(blobPiece(file, hash, { offset, limit }))
  expect(piece).toMatchObject({ bytes: bytes.length, isTrue: true })
  expect(piece?.data.equals(bytes.subarray(offset, offset + limit))).toBe(true)
})

it('is read a mebibyte a step, and let go of where nobody takes the next', () => {
  const files = (): number => readdirSync('/proc/self/fd').length
  const before = files()
  const steps = blobPiece(file, hash, { offset: 0, limit: 1 })
  const looks = [steps.next(), steps.next(), steps.next(), steps.next()].map((step) => step.done)
  expect([looks, files()]).toEqual([[false, false, false, false], before + 1])
  steps.return(undefined)
  expect(files()).toBe(before)
})

it('says so where the whole is not what its name says, wherever that is', () => {
  writeFileSync(file, Buffer.concat([bytes.subarray(0, -1), Buffer.from('?')]))
  expect(done(blobPiece(file, hash, { offset: 0, limit: 3 }))?.isTrue).toBe(false)
})

it('is none where there is no file of ours', () => {
  const link = path.join(folder, 'link')
  symlinkSync(file, link)
  for (const other of [link, folder, path.join(folder, 'nowhere')])
    expect(done(blobPiece(other, hash, { offset: 0, limit: 3 }))).toBeUndefined()
})

it('is empty where the blob is', () => {
  writeFileSync(file, '')
  const piece = done(blobPiece(file, blobName(Buffer.alloc(0)), { offset: 0, limit: 3 }))
  expect(piece).toEqual({ bytes: 0, data: Buffer.alloc(0), isTrue: true })
})
