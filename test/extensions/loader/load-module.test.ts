// Tests the loader of extensions: TypeScript without a build, classes of this process, fresh evaluation.
/* eslint-disable rxjs-x/no-ignored-default-value -- a test fails if nothing is emitted */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Observable, firstValueFrom, of } from 'rxjs'
import * as rxjs from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashContent } from '../../../lib/extensions/discovery/content-digest.ts'
import { loadModule } from '../../../lib/extensions/loader/load-module.ts'

let folder = ''
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-load-')))
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

  it('of many files lets the rest of the process run while it loads', async () => {
    const root = path.join(folder, 'many')
    const files = Array.from({ length: 8 }, (_, index) => `m${index}`)
    for (const name of files)
      write(`many/${name}.ts`, 'const end = performance.now() + 12; while (performance.now() < end);')
    const entry = write(
      'many/index.ts',
      `${files.map((name) => `import './${name}'`).join('\n')}\nexport default 'all'`,
    )
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    expect(await load(entry, root)).toBe('all')
    clearInterval(timer)
    expect(turns).toBeGreaterThan(1)
  })

  it('is evaluated anew by each load', async () => {
    const entry = write('changing.ts', 'export default 1')
    expect(await load(entry)).toBe(1)
    write('changing.ts', 'export default 2')
    expect(await load(entry)).toBe(2)
  })

  it.each([
    ['.mjs', "import { value } from './value.mjs'; export default value"],
    ['.js of a module package', "import { value } from './value.mjs'; export default value"],
    ['.cjs', "module.exports = require('./value.cjs')"],
  ])('with the name %s is evaluated anew too, with what it imports', async (name, text) => {
    const root = path.join(folder, `fresh${name.slice(0, 4)}`)
    const at = (file: string): string => `${path.basename(root)}/${file}`
    write(at('package.json'), '{ "type": "module" }')
    const entry = write(at(`index${name.split(' ')[0] ?? ''}`), text)
    for (const value of [1, 2]) {
      write(at('value.mjs'), `export const value = ${value}`)
      write(at('value.cjs'), `module.exports = ${value}`)
      expect(await load(entry, root)).toBe(value)
    }
  })

  it('of a folder may use its packages in both forms, JSON, and require of its own', async () => {
    const root = path.join(folder, 'packages')
    const installed = (name: string, main: string, text: string): void => {
      write(`packages/node_modules/${name}/package.json`, JSON.stringify({ name, main, exports: { '.': `./${main}` } }))
      write(`packages/node_modules/${name}/${main}`, text)
    }
    installed('esm', 'main.mjs', "import common, { two } from 'common'; export const sum = common.one + two")
    installed('common', 'main.cjs', "'use strict'\nexports.one = 1; exports.two = Number(require('./two.json'))")
    write('packages/node_modules/common/two.json', '2')
    const bundled =
      'const f = require("net"); module.exports = f.__esModule ? undefined : f.createServer === require("node:net").createServer' // as bundlers test it
    installed('bundled', 'main.cjs', bundled)
    write('packages/sub/data.json', '{ "is": "data" }')
    const entry = write(
      'packages/sub/index.ts',
      `import { createRequire } from 'node:module'
       import fs, { readFileSync } from 'node:fs'
       import { sum } from 'esm'
       import bundled from 'bundled'
       import data from './data.json' with { type: 'json' }
       const require = createRequire(import.meta.url)
       const late = await import('common')
       export default { sum, bundled, data, late: late.default.two, own: require('rxjs').Observable, same: fs.readFileSync === readFileSync,
         url: import.meta.url, dir: import.meta.dirname, resolved: require.resolve('common') }`,
    )
    expect(await load(entry, root)).toEqual({
      ...{ sum: 3, bundled: true, data: { is: 'data' }, late: 2, own: Observable, same: true },
      url: pathToFileURL(entry).href,
      dir: path.dirname(entry),
      resolved: path.join(root, 'node_modules/common/main.cjs'),
    })
  })

  it('whose files import each other in a circle, or wait at the top, is loaded', async () => {
    const root = path.join(folder, 'circle')
    write('circle/a.ts', "import { b } from './b'; export const name = 'a'; export const both = () => name + b()")
    write('circle/b.ts', "import * as a from './a'; export const b = () => `b of ${a.name}`")
    write('circle/slow.ts', 'await new Promise((done) => setTimeout(done, 5)); export const slow = true')
    const entry = write(
      'circle/index.ts',
      `import { both } from './a'
       const [one, other] = await Promise.all([import('./slow'), import('./slow')])
       export default [both(), one.slow, other.slow]`,
    )
    expect(await load(entry, root)).toEqual(['ab of a', true, true])
  })

  it('that is a single file may have text that looks like an import', async () => {
    const entry = write('words.ts', "export default `write: import x from './x' or require('left-pad')`")
    expect(await load(entry)).toContain('left-pad')
  })

  it.each([
    ['an import', "import { of } from 'stray'\nexport default of"],
    ['require', "module.exports = require('stray')"],
    ['createRequire', "import { createRequire } from 'module'\nexport default createRequire(import.meta.url)('stray')"],
    ['a path', "export default import('../node_modules/stray/index.js')"],
  ])('gets nothing of a folder above its own by %s [S23a]', async (_, text) => {
    write('node_modules/stray/index.js', "throw new Error('it ran')")
    const root = path.join(folder, 'below')
    const entry = write('below/index.js', text)
    await expect(load(entry, root)).rejects.toMatchObject({
      code: 'bad_config',
      message: expect.stringMatching(/stray.*which its digest does not cover; only files of/) as string,
    })
    const optional = write('below/optional.js', "try { require('missing') } catch (e) { module.exports = e.code }")
    expect(await load(optional, root)).toBe('MODULE_NOT_FOUND')
  })

  it('has the content that was hashed, also if it is imported later [S23a]', async () => {
    const root = path.join(folder, 'hashed')
    write('hashed/late.ts', 'export default 1')
    const entry = write('hashed/index.ts', "export default () => import('./late')")
    const { files } = await firstValueFrom(hashContent(root))
    const loadHashed = async (file = entry) =>
      (await firstValueFrom(loadModule({ entry: file, root, files }, () => of({})))) as () => Promise<unknown>
    expect(await (await loadHashed())()).toMatchObject({ default: 1 })
    const loaded = await loadHashed()
    write('hashed/late.ts', 'export default 2')
    await expect(loaded()).rejects.toMatchObject({
      code: 'bad_config',
      message: expect.stringMatching(/late\.ts was changed/) as string,
    })
    write('hashed/index.ts', 'export default 0')
    await expect(loadHashed()).rejects.toThrow(/index\.ts was changed/)
    const added = write('hashed/new.ts', 'export default 3')
    await expect(loadHashed(added)).rejects.toThrow(/new\.ts was changed/)
  })

  it.each([
    ['a helper', "import './several/state'\nexport default 1", './several/state'],
    ['a package', "const pad = require('./node_modules/left-pad')\nexport default pad", './node_modules/left-pad'],
    ['a dynamic import', "export default import('./several/a.ts')", './several/a.ts'],
  ])('that is a single file may not import %s, which its digest does not cover', async (_, text, name) => {
    write('node_modules/left-pad/index.js', 'module.exports = 1')
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
