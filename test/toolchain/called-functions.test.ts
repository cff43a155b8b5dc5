// Tests that a program reports exactly its called functions, and that its failure is quoted.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { calledFunctions } from '../../scripts/build/eager-functions.ts'

let folder: string

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-called-')))
})
afterAll(() => rmSync(folder, { recursive: true }))

function program(code: string): string {
  const file = path.join(folder, 'program.mjs')
  writeFileSync(file, code)
  return file
}

it('lists the called functions', async () => {
  const file = program(
    'const f = () => 1\nconst g = () => 2\nf()\nif (process.argv[2] === process.env.REQUESTS) h()\nfunction h() {}',
  )
  const called = await calledFunctions([file, 'h'], { cwd: folder, env: { REQUESTS: 'h' } })
  const text = readFileSync(file, 'utf8')
  const parts = [...(called.get(file) ?? [])].map((range) =>
    text.slice(...(range.split(':').map(Number) as [number, number])),
  )
  expect(parts.filter((part) => part !== text)).toEqual(['() => 1', 'function h() {}'])
})

it('rejects with the output of a failing program', async () => {
  const file = program(`console.error('no such thing'); process.exitCode = 3`)
  await expect(calledFunctions([file], { cwd: folder, env: {} })).rejects.toThrow('no such thing')
})
