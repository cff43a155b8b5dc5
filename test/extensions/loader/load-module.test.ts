// Tests the loader of extensions: TypeScript without a build, classes of this process, fresh evaluation.
/* eslint-disable rxjs-x/no-ignored-default-value -- a test fails if nothing is emitted */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Observable, firstValueFrom, of } from 'rxjs'
import * as rxjs from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadModule } from '../../../lib/extensions/loader/load-module.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-load-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

function write(name: string, text: string): string {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const load = (entry: string, root = entry): Promise<unknown> =>
  firstValueFrom(loadModule({ entry, root }, () => of({ rxjs })))

describe('a module', () => {
  it('may have enums and parameter properties, and gets the classes of this process', async () => {
    const entry = write(
      'one.ts',
      `import { Observable, of } from 'rxjs'
       import path from 'node:path'
       enum Kind { One = 'one' }
       class Point { constructor(public readonly x: number) {} }
       export default { kind: Kind.One, x: new Point(3).x, value$: of(1), Class: Observable, sep: path.sep }`,
    )
    const loaded = (await load(entry)) as { readonly value$: unknown }
    expect(loaded).toMatchObject({ kind: 'one', x: 3, Class: Observable, sep: path.sep })
    expect(loaded.value$).toBeInstanceOf(Observable)
  })

  it('of a folder may import its other files without an extension, each evaluated once', async () => {
    const root = path.join(folder, 'several')
    write('several/state.ts', 'export const state = { count: 0 }')
    write('several/a.ts', "import { state } from './state'; export const a = ++state.count")
    write('several/b.js', "import { state } from './state'; export const b = ++state.count")
    const entry = write('several/index.ts', "import { a } from './a'; import { b } from './b'; export default [a, b]")
    expect(await load(entry, root)).toEqual([1, 2])
    expect(await load(entry, root)).toEqual([1, 2])
  })

  it('is evaluated anew by each load', async () => {
    const entry = write('changing.ts', 'export default 1')
    expect(await load(entry)).toBe(1)
    write('changing.ts', 'export default 2')
    expect(await load(entry)).toBe(2)
  })

  it.each([
    ['a helper', "import './several/state'\nexport default 1", './several/state'],
    ['a package', "const pad = require('left-pad')\nexport default pad", 'left-pad'],
    ['a dynamic import', "export default import('./several/a.ts')", './several/a.ts'],
  ])('that is a single file may not import %s, which its digest does not cover', async (_, text, name) => {
    const entry = write('alone.ts', text)
    await expect(load(entry)).rejects.toMatchObject({
      code: 'bad_config',
      message: expect.stringContaining(`imports ${name}`) as string,
    })
  })

  it.each([
    ['throws', "throw new Error('at the top')", 'at the top'],
    ['does not parse', 'export default {', 'alone.ts'],
  ])('that %s is refused with its path and the reason', async (_, text, reason) => {
    const entry = write('alone.ts', text)
    await expect(load(entry)).rejects.toMatchObject({ code: 'bad_config', data: { path: entry } })
    await expect(load(entry)).rejects.toThrow(reason)
  })
})
