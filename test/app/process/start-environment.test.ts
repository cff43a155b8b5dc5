// Tests how a server takes the environment that its launcher passed on a descriptor.
import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { takeStartEnvironment } from '../../../app/process/start-environment.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-start-'))
  file = path.join(folder, 'environment')
})
afterEach(() => rmSync(folder, { recursive: true }))

function openFile(content: string): number {
  writeFileSync(file, content)
  return openSync(file, 'r+')
}

const take = (descriptor: number | string) => takeStartEnvironment({ RXPI_ENVIRONMENT_FD: String(descriptor) })

it('reads the variables, and empties and closes the file [S30b]', () => {
  const descriptor = openFile('A=1\0B=x=y\nz\0EMPTY=\0=none\0no equals sign\0Ä=ö\0')
  const other = openSync(file, 'r')
  unlinkSync(file)
  expect(take(descriptor)).toEqual({ A: '1', B: 'x=y\nz', EMPTY: '', Ä: 'ö' })
  expect(fstatSync(other).size).toBe(0)
  expect(() => fstatSync(descriptor)).toThrow('EBADF')
  closeSync(other)
})

it('leaves any other descriptor alone', () => {
  const descriptor = openFile('A=1\0') // has a name: no launcher passed it
  expect(take(descriptor)).toEqual({})
  expect(fstatSync(descriptor).size).toBe(4)
  closeSync(descriptor)
})

it.each(['', '-1', '9999', 'x', '1e1'])('is empty for the descriptor "%s"', (text) => {
  expect(take(text)).toEqual({})
})
