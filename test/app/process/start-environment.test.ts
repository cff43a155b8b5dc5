// Tests how a server takes the environment that its launcher passed on a descriptor.
import { spawnSync } from 'node:child_process'
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

it('takes standard input only if it is passed there, and puts an empty device in its place [S30b]', () => {
  const descriptor = openFile('A=1\0')
  unlinkSync(file)
  const module = new URL('../../../app/process/start-environment.ts', import.meta.url).href
  const script = `
    import { fstatSync } from 'node:fs'
    const { takeStartEnvironment: take } = await import('${module}')
    const taken = [take({}), fstatSync(0).size, take({ RXPI_ENVIRONMENT_FD: '0' }), fstatSync(0).isCharacterDevice()]
    console.log(JSON.stringify(taken))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    stdio: [descriptor, 'pipe', 'inherit'],
    encoding: 'utf8',
    timeout: 60_000,
  })
  closeSync(descriptor)
  expect(JSON.parse(stdout)).toEqual([{}, 4, { A: '1' }, true])
})
