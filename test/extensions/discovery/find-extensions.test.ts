// Tests how extensions are found: the places, names, trust of each, and what is a problem.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findExtensions } from '../../../lib/extensions/discovery/find-extensions.ts'
import type { FindExtensionsOptions, FoundExtensions } from '../../../lib/extensions/discovery/find-extensions.ts'
import { packageRoot, writePackages } from '../../../lib/extensions/packages/installed-packages.ts'
import type { ExtensionRecord } from '../../../lib/streams/config/extension-trust-schema.ts'

const own = "import { defineExtension } from 'rxpi'\nexport default defineExtension({ name: 'x' })\n"
let top = ''
let home = ''
let config = ''
let project = ''
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-find-')))
  home = path.join(top, 'home')
  config = path.join(top, 'config')
  project = path.join(top, 'project')
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

function write(name: string, content: string | object = own): string {
  const file = path.join(top, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const nothing: FoundExtensions = { sources: [], problems: [] }
const find = (options: Partial<FindExtensionsOptions> = {}) =>
  lastValueFrom(findExtensions({ home, config, records: new Map(), ...options }), { defaultValue: nothing })
const names = async (options: Partial<FindExtensionsOptions> = {}) =>
  (await find(options)).sources.map(({ name, origin }) => `${origin}:${name}`)

describe('the places of extensions', () => {
  it('are none before there are folders', async () => {
    expect(await find({ project })).toEqual(nothing)
  })

  it('are single files and folders of the user, each with its root, entry and digest', async () => {
    const file = write('config/extensions/one.ts')
    const index = write('config/extensions/two/index.js')
    write('config/extensions/two/helper.js')
    const main = write('config/extensions/three/src/main.ts')
    write('config/extensions/three/package.json', { name: '@me/three', rxpi: { extensions: ['./src/main.ts'] } })
    for (const ignored of ['.hidden.ts', 'types.d.ts', 'README.md', 'node_modules/x/index.js', '.git/index.js'])
      write(`config/extensions/${ignored}`)
    const { sources, problems } = await find()
    expect(problems).toEqual([])
    const state = { origin: 'user', state: 'pending', isDev: false, isIsolated: false, isPi: false, mayReplace: [], files: expect.any(Map) as unknown, digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string } // prettier-ignore
    const folder = (name: string) => path.join(config, 'extensions', name)
    expect(sources).toEqual([
      { ...state, id: `user:${file}`, name: 'one', root: file, entry: file },
      { ...state, id: `user:${folder('three')}`, name: '@me/three', root: folder('three'), entry: main },
      { ...state, id: `user:${folder('two')}`, name: 'two', root: folder('two'), entry: index },
    ])
    expect(new Set(sources.map(({ digest }) => digest)).size).toBe(3)
  })

  it('are those of a project only if it is named, installed packages, and named paths', async () => {
    write('config/extensions/mine.ts')
    write('project/.rxpi/extensions/ours.ts')
    const installed = { source: 'npm:bundle', name: 'bundle', key: 'bundle', folder: 'node_modules/bundle', pinned: false, at: 1 } // prettier-ignore
    const root = path.relative(top, packageRoot(home, installed))
    write(`${root}/node_modules/bundle/package.json`, { name: 'bundle', pi: { extensions: ['ext'] } })
    write(`${root}/node_modules/bundle/ext/a.ts`)
    write(`${root}/node_modules/bundle/ext/b/index.ts`)
    write(`${root}/node_modules/dependency/index.js`)
    writePackages(home, [installed])
    const named = write('elsewhere/probe.mjs')
    expect(await names()).toEqual(['user:mine', 'package:bundle/ext/a', 'package:bundle/ext/b'])
    expect(await names({ project, paths: [named] })).toEqual([
      'user:mine',
      'project:ours',
      'package:bundle/ext/a',
      'package:bundle/ext/b',
      'path:probe',
    ])
    const [, first, second] = (await find()).sources
    expect(first?.id).toBe(`package:${path.join(top, root)}#node_modules/bundle/ext/a.ts`)
    expect(second).toMatchObject({ isPi: true, root: path.join(top, root), digest: first?.digest })
    write(`${root}/node_modules/dependency/index.js`, 'changed')
    expect((await find()).sources[1]?.digest).not.toBe(first?.digest)
  })

  it('count once if they are found twice, and a link names its real folder', async () => {
    const file = write('dev/tool/index.ts')
    mkdirSync(path.join(config, 'extensions'), { recursive: true })
    symlinkSync(path.dirname(file), path.join(config, 'extensions', 'linked'))
    const { sources } = await find({ paths: [path.dirname(file), file] })
    expect(sources).toMatchObject([{ origin: 'user', name: 'linked', root: path.dirname(file), entry: file }])
  })
})

describe('the trust of what was found', () => {
  const record = (digest: string, fields: Partial<ExtensionRecord> = {}): ExtensionRecord => ({ state: 'trusted', digest, at: 1, ...fields }) // prettier-ignore

  it('is that of the record for this content', async () => {
    const file = write('config/extensions/one.ts')
    const id = `user:${file}`
    const [{ digest } = { digest: '' }] = (await find()).sources
    const state = async (found: ExtensionRecord) => (await find({ records: new Map([[id, found]]) })).sources[0]
    expect(await state(record(digest))).toMatchObject({ state: 'trusted', isDev: false })
    expect(await state(record(digest, { state: 'acknowledged', mayReplace: ['read'] }))).toMatchObject({ state: 'acknowledged', mayReplace: ['read'] }) // prettier-ignore
    write('config/extensions/one.ts', `${own}// more`)
    expect(await state(record(digest))).toMatchObject({ state: 'pending' })
    expect(await state(record(digest, { dev: true }))).toMatchObject({ state: 'trusted', isDev: true })
    expect(await state(record(digest, { state: 'killed' }))).toMatchObject({ state: 'killed' })
  })

  it('waits for a decision of its own for an extension of a trusted project [S3d]', async () => {
    const id = `project:${write('project/.rxpi/extensions/ours.ts')}`
    const state = async (records: FindExtensionsOptions['records']) =>
      (await find({ project, records })).sources[0]?.state
    expect(await state(new Map())).toBe('pending')
    expect(await state(new Map([[id, record('0'.repeat(64), { state: 'killed' })]]))).toBe('killed')
    expect(await state(new Map([[id, record('0'.repeat(64))]]))).toBe('pending')
  })
})

describe('extensions of pi', () => {
  it.each([
    ["import type { ExtensionAPI } from '@earendil-works/pi-coding-agent'\nconst run = 1\nexport default run", true],
    ["import { Text } from '@earendil-works/pi-tui'\nexport default (pi) => {}", true],
    ['export default function (pi) {}', true],
    ['export default async function setup(pi) {}', true],
    ['export default (pi) => { pi.on("x") }', true],
    ['export default pi => {}', true],
    [own, false],
    ["import { tap } from 'rxjs'\nexport default { name: 'x' }", false],
    ["import { ofType } from 'rxpi/operators'\nexport default function () {}", false],
  ])('are recognised: %j is %s', async (content, isPi) => {
    write('config/extensions/one.ts', content)
    expect((await find()).sources[0]?.isPi).toBe(isPi)
  })

  it('are those of a package.json with the key pi alone', async () => {
    write('config/extensions/a/index.ts')
    write('config/extensions/a/package.json', { pi: { extensions: ['index.ts'] } })
    write('config/extensions/b/index.ts')
    write('config/extensions/b/package.json', { pi: { extensions: ['pi.ts'] }, rxpi: { extensions: ['index.ts'], name: 'bee' } }) // prettier-ignore
    expect((await find()).sources.map(({ name, isPi }) => [name, isPi])).toEqual([['a', true], ['bee', false]]) // prettier-ignore
  })
})

describe('what cannot be used is a problem, and the others are found', () => {
  it.each([
    [
      'a folder without a module',
      () => {
        write('config/extensions/bad/README.md')
      },
      'bad',
      /no index\.ts/,
    ],
    [
      'a bad package.json',
      () => {
        write('config/extensions/bad/index.ts')
        write('config/extensions/bad/package.json', '{')
      },
      'bad',
      /package\.json is not valid/,
    ],
    [
      'a list that is none',
      () => {
        write('config/extensions/bad/package.json', { rxpi: { extensions: 'index.ts' } })
      },
      'bad',
      /no list of paths/,
    ],
    [
      'a missing module',
      () => {
        write('config/extensions/bad/package.json', { rxpi: { extensions: ['gone.ts'] } })
      },
      'bad/gone.ts',
      /no such file/i,
    ],
    [
      'a module outside',
      () => {
        write('config/extensions/bad/package.json', { rxpi: { extensions: ['../good.ts'] } })
      },
      'good.ts',
      /leads out of/,
    ],
    [
      'a link out of it',
      () => {
        write('config/extensions/bad/index.ts')
        symlinkSync('/etc', path.join(config, 'extensions/bad/etc'))
      },
      'bad/index.ts',
      /leads out of the folder/,
    ],
    [
      'a pipe',
      () => {
        mkdirSync(path.join(config, 'extensions'), { recursive: true })
        execFileSync('mkfifo', [path.join(config, 'extensions/bad.ts')])
      },
      'bad.ts',
      /pipe, socket or device/,
    ],
    [
      'a link to nothing',
      () => {
        mkdirSync(path.join(config, 'extensions'), { recursive: true })
        symlinkSync('gone', path.join(config, 'extensions/bad'))
      },
      'bad',
      /no such file/i,
    ],
  ])('%s', async (_, make, name, message) => {
    // prettier-ignore
    make()
    write('config/extensions/good.ts')
    const { sources, problems } = await find()
    expect(sources.map((each) => each.name)).toEqual(['good'])
    expect(problems).toEqual([{ path: path.join(config, 'extensions', name), message: expect.stringMatching(message) as string }]) // prettier-ignore
  })

  it('also a named path that is missing, and a damaged list of packages', async () => {
    write('home/packages/packages.json', '{')
    const { problems } = await find({ paths: [path.join(top, 'gone.ts')] })
    expect(problems).toEqual([
      { path: home, message: expect.stringMatching(/packages\.json.*not valid/) as string },
      { path: path.join(top, 'gone.ts'), message: expect.stringMatching(/no such file/i) as string },
    ])
  })
})
