// Tests how a blob is read in pieces.
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { blobName } from '../../../lib/store/blobs/blob-folder.ts'
import { blobPiece } from '../../../lib/store/blobs/blob-piece.ts'
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
])('from byte %d returns at most %d bytes, each at its offset', (offset, limit) => {
  const piece = done(blobPiece(file, hash, { offset, limit }))
  expect(piece).toMatchObject({ bytes: bytes.length, isIntact: true })
  expect(piece?.data.equals(bytes.subarray(offset, offset + limit))).toBe(true)
})

it('is read a mebibyte a step, and released if the reader unsubscribes', () => {
  const files = (): number => readdirSync('/proc/self/fd').length
  const before = files()
  const steps = blobPiece(file, hash, { offset: 0, limit: 1 })
  const looks = [steps.next(), steps.next(), steps.next(), steps.next()].map((step) => step.done)
  expect([looks, files()]).toEqual([[false, false, false, false], before + 1])
  steps.return(undefined)
  expect(files()).toBe(before)
})

it('fails if the content does not match its hash, at any byte', () => {
  writeFileSync(file, Buffer.concat([bytes.subarray(0, -1), Buffer.from('?')]))
  expect(done(blobPiece(file, hash, { offset: 0, limit: 3 }))?.isIntact).toBe(false)
})

it('is undefined if the user has no such file', () => {
  const link = path.join(folder, 'link')
  symlinkSync(file, link)
  for (const other of [link, folder, path.join(folder, 'nowhere')])
    expect(done(blobPiece(other, hash, { offset: 0, limit: 3 }))).toBeUndefined()
})

it('is empty for an empty blob', () => {
  writeFileSync(file, '')
  const piece = done(blobPiece(file, blobName(Buffer.alloc(0)), { offset: 0, limit: 3 }))
  expect(piece).toEqual({ bytes: 0, data: Buffer.alloc(0), isIntact: true })
})
