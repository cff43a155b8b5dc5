// Tests the build in a clone of its own: when it builds, what it bundles, and running commands.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepBuild } from '../../app/process/keep-build.ts'
import { isFull } from '../support/sample-size.ts'

const execute = promisify(execFile)
let house: string

const main = `
import { once } from 'node:events'
import equal from 'ajv/dist/runtime/equal.js'
import { map, of } from 'rxjs'
export async function main(): Promise<void> {
  of('started').pipe(map((text) => text + ' ' + (RXPI_VERSION ?? '') + ' ' + String(equal.default([1], [1])))).subscribe((text) => console.log(text))
  await once(process.stdin, 'data')
  const { late } = await import('./late.ts')
  console.log(late)
  process.stdin.unref()
}`

/** Replaces the build's own first run: it calls one function of the library. */
const firstRun = `
const [which, folder] = process.argv.slice(2)
if (which === 'library') (await import(folder + '/index.js')).answer()`

const sources = {
  'app/main.ts': main,
  'app/late.ts': `export const late = 'late 1'`,
  'lib/index.ts': `import { of, type Observable } from 'rxjs'\nexport { shared } from './streams/shared.ts'\nexport const answer = (): Observable<number> => of(42)`,
  'lib/operators/index.ts': `export { shared } from '../streams/shared.ts'`,
  'lib/streams/shared.ts': `import equal from 'ajv/dist/runtime/equal.js'\nexport const shared = { equal }`,
}

beforeAll(async () => {
  house = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-build-')))
  for (const name of [
    'scripts',
    'bin',
    'lib/server/launch/memory-settings.ts',
    'package.json',
    'tsconfig.json',
    'tsconfig.types.json',
    'build-constants.d.ts',
  ]) {
    cpSync(name, path.join(house, name), { recursive: true })
  }
  symlinkSync(path.resolve('node_modules'), path.join(house, 'node_modules'))
  for (const [name, code] of Object.entries({ ...sources, 'scripts/build/first-run-program.ts': firstRun }))
    put(name, code)
  await ensureBuilt()
})

afterAll(() => rmSync(house, { recursive: true }))

function put(name: string, code: string): void {
  mkdirSync(path.dirname(path.join(house, name)), { recursive: true })
  writeFileSync(path.join(house, name), code)
}

/** Returns the output: empty if there was nothing to build. */
async function ensureBuilt(): Promise<string> {
  const { stdout, stderr } = await execute(process.execPath, ['scripts/build/ensure-built.ts'], { cwd: house })
  expect(stdout, 'stdout belongs to the command that is started next').toBe('')
  return stderr
}

function current(): string {
  return (JSON.parse(readFileSync(path.join(house, 'dist/build.json'), 'utf8')) as { build: string }).build
}

function code(bundle: 'command' | 'lib'): string {
  const folder = path.join(house, 'dist', current(), bundle)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  return files.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n')
}

describe('the bundles', () => {
  it('contain rxjs inside the command', () => {
    expect(code('command')).not.toMatch(/from ['"]rxjs/)
    expect(code('command')).toContain('class Observable')
  })

  it('leave rxjs to the user of the library', () => {
    expect(code('lib')).toMatch(/from ['"]rxjs['"]/)
    expect(code('lib')).not.toContain('class Observable')
  })

  it('contain the runtime of compiled validators', () => {
    expect(code('lib')).not.toMatch(/from ['"](?:ajv|node:)/)
    expect(code('lib')).not.toContain('__require')
    expect(code('command')).not.toMatch(/from ['"]ajv/)
  })

  it('mark the functions that a first run calls', () => {
    expect(code('lib')).toContain('answer = (() => of(42))')
  })

  it('share the common modules of two library entries', async () => {
    const probe = `import { shared as a } from './dist/lib/index.js'; import { shared as b } from './dist/lib/operators.js'; console.log(a === b)`
    put('probe.mjs', probe)
    expect((await execute(process.execPath, ['probe.mjs'], { cwd: house })).stdout).toBe('true\n')
  })

  it.runIf(isFull)('declare the exports under the stable path', async () => {
    put('consumer/use.ts', `import { answer } from '../dist/lib/index.js'\nexport const wrong: string = answer()\n`)
    const flags = [
      '--noEmit',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--strict',
      '--ignoreConfig',
      'consumer/use.ts',
    ]
    const compiler = path.resolve('node_modules/tsgo/bin/tsc')
    const output = await execute(process.execPath, [compiler, ...flags], { cwd: house }).catch(
      (error: unknown) => error,
    )
    expect(output).toMatchObject({
      stdout: expect.stringContaining(`'Observable<number>' is not assignable`) as string,
    })
  })
})

describe('a change', () => {
  it('alone causes a new build, which does not affect a running command', async () => {
    expect(await ensureBuilt()).toBe('')
    const started = spawn(process.execPath, ['bin/start.js'], { cwd: house, stdio: ['pipe', 'pipe', 'inherit'] })
    const before = current()
    const lines: string[] = []
    started.stdout.setEncoding('utf8').on('data', (text: string) => lines.push(text))
    await once(started.stdout, 'data')
    put('app/late.ts', `export const late = 'late 2'`)
    expect(await ensureBuilt()).toContain('Built')
    expect(await ensureBuilt()).toBe('')
    expect(current()).not.toBe(before)
    started.stdin.end('go on\n')
    await once(started, 'close')
    expect(lines.join('')).toBe(`started ${RXPI_VERSION ?? ''} true\nlate 1\n`)
  })

  it('is in the next start', async () => {
    const next = execute(process.execPath, ['bin/start.js'], { cwd: house })
    next.child.stdin?.end('go on\n')
    expect((await next).stdout).toContain('late 2')
  })

  it.runIf(isFull)('is not packed with earlier builds', async () => {
    expect(readdirSync(path.join(house, 'dist'))).toEqual(
      expect.arrayContaining([current(), 'build.json', 'compile-cache']),
    )
    const { stdout } = await execute('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: house })
    const names = ([JSON.parse(stdout)].flat() as { files: { path: string }[] }[]).flatMap(({ files }) =>
      files.map((file) => file.path),
    )
    const builds = new Set(names.flatMap((name) => /^dist\/([0-9a-f]{12})\//.exec(name)?.[1] ?? []))
    expect([...builds]).toEqual([current()])
    expect(names).toContain('dist/lib/index.d.ts')
    expect(names.filter((name) => /build\.json|compile-cache/.test(name))).toEqual([])
  })
})

describe('old builds', () => {
  it.runIf(isFull)('stay up to ten, and while a process runs from them', async () => {
    const dist = path.join(house, 'dist')
    const ages = Array.from({ length: 12 }, (_, age) => `${age.toString(16).padStart(2, '0')}0000000000`)
    for (const name of ages) mkdirSync(path.join(dist, name))
    const [used, left] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb']
    for (const name of [used, left]) {
      mkdirSync(path.join(dist, name))
      utimesSync(path.join(dist, name), 0, 0)
    }
    const ended = spawn(process.execPath, ['-e', ''])
    await once(ended, 'exit')
    keepBuild(path.join(dist, used, 'command/chunks/serve.js'))
    put(`dist/in-use/${left}.${ended.pid ?? 0}`, '')
    put('app/late.ts', `export const late = 'late 3'`)
    await ensureBuilt()
    const builds = readdirSync(dist).filter((name) => /^[0-9a-f]{12}$/.test(name))
    expect(builds.filter((name) => name !== used)).toHaveLength(10)
    expect(builds).toEqual(expect.arrayContaining([used, current()]))
    expect(builds).not.toContain(left)
    expect(readdirSync(path.join(dist, 'in-use'))).toEqual([`${used}.${process.pid}`])
  })
})

// The last test: the clone stays without a first run.
it.runIf(isFull)('fails if the first run fails, and keeps the previous build', async () => {
  const before = current()
  put('scripts/build/first-run-program.ts', `throw new Error('not today')`)
  await expect(ensureBuilt()).rejects.toThrow('not today')
  expect(current()).toBe(before)
})
