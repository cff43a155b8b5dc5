// Tests that a chunk has the requested length, or the rest of the file.
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readChunk } from '../../../lib/tools/files/read-window.ts'

function opened(text: string): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-chunk-'))
  const file = path.join(folder, 'file')
  writeFileSync(file, text)
  const descriptor = openSync(file, 'r')
  rmSync(folder, { recursive: true })
  return descriptor
}

it.each([
  ['from the beginning', 0, 3, 'abc'],
  ['from further on', 4, 3, 'ef'],
  ['at the end', 6, 3, ''],
])('is read %s', async (_, position, length, expected) => {
  const descriptor = opened('abcdef')
  onTestFinished(() => closeSync(descriptor))
  expect((await readChunk(descriptor, position, length)).toString()).toBe(expected)
})

it('has at most 64 KiB', async () => {
  const descriptor = opened('a'.repeat(70_000))
  onTestFinished(() => closeSync(descriptor))
  expect(await readChunk(descriptor, 0)).toHaveLength(65_536)
  expect(await readChunk(descriptor, 65_536)).toHaveLength(70_000 - 65_536)
})

it('fails with the error of the system', async () => {
  const descriptor = opened('abc')
  closeSync(descriptor)
  await expect(readChunk(descriptor, 0)).rejects.toMatchObject({ code: 'EBADF' })
})
