// Tests the package beside a user's rxjs: a copy of the build in `npm test`, packed in test:full.
// Over 250 lines: the checks of one tarball, which is packed and installed once.
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { libraryEntriesOf } from '../../scripts/build/bundles.ts'
import { isFull } from '../support/sample-size.ts'

interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, unknown>>
}

const execute = promisify(execFile)
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
const entries = libraryEntriesOf(process.cwd()).map(([name]) => (name === 'index' ? 'rxpi' : `rxpi/${name}`))
let project: string

beforeAll(async () => {
  project = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-packed-')))
  await execute(process.execPath, ['scripts/build/ensure-built.ts'])
  mkdirSync(path.join(project, 'node_modules/.bin'), { recursive: true })
  if (isFull) await unpackTarball()
  else copyBuild()
  symlinkSync('../rxpi/bin/rxpi', path.join(project, 'node_modules/.bin/rxpi'))
  for (const name of Object.keys(manifest.dependencies)) link(name)
  // rxjs is a copy, not a link: two paths are two modules, as for a user.
  for (const part of ['package.json', 'dist/cjs', 'dist/esm5', 'dist/types']) {
    cpSync(path.resolve('node_modules/rxjs', part), path.join(project, 'node_modules/rxjs', part), { recursive: true })
  }
  symlinkSync(path.resolve('node_modules/tslib'), path.join(project, 'node_modules/tslib'))
  put('package.json', JSON.stringify({ type: 'module', dependencies: { rxpi: '*', rxjs: '*' } }))
}, 180_000) // a build, if there is none, and a package of all files

afterAll(() => rmSync(project, { recursive: true }))

async function unpackTarball(): Promise<void> {
  await execute('npm', ['pack', '--ignore-scripts', '--pack-destination', project])
  const file = path.join(project, `rxpi-${manifest.version}.tgz`)
  await execute('tar', ['-xzf', file, '-C', path.join(project, 'node_modules')])
  renameSync(path.join(project, 'node_modules/package'), path.join(project, 'node_modules/rxpi'))
}

/** Copies the command and the library of the last build: npm takes seconds to pack all files. */
function copyBuild(): void {
  const { build } = JSON.parse(readFileSync('dist/build.json', 'utf8')) as { readonly build: string }
  const parts = readdirSync('dist').filter((name) => name === build || /^(?:lib|main\..*|memory\.sh)$/.test(name))
  for (const part of ['package.json', 'bin', ...parts.map((name) => `dist/${name}`)])
    cpSync(part, path.join(project, 'node_modules/rxpi', part), { recursive: true })
}

function link(name: string): void {
  const target = path.join(project, 'node_modules', name)
  mkdirSync(path.dirname(target), { recursive: true })
  symlinkSync(path.resolve('node_modules', name), target)
}

function put(name: string, code: string): string {
  writeFileSync(path.join(project, name), code)
  return path.join(project, name)
}

/** Runs a module of the user's project and returns its printed JSON. */
async function run(code: string): Promise<unknown> {
  const { stdout } = await execute(process.execPath, [put('program.mjs', code)], { cwd: project })
  return JSON.parse(stdout) as unknown
}

describe('the packed command', () => {
  it('starts through npm’s link', async () => {
    const { stdout } = await execute(path.join(project, 'node_modules/.bin/rxpi'), ['--version'], { cwd: project })
    expect(stdout).toBe(`${manifest.version}\n`)
  })

  it.runIf(isFull)('contains its bundle', async () => {
    const { stdout } = await execute(path.join(project, 'node_modules/.bin/rxpi'), ['--help'], { cwd: project })
    expect(stdout).toContain('rxpi')
  })

  it.runIf(isFull)('contains the pages, the examples and the sources of its declarations', () => {
    const packed = path.join(project, 'node_modules/rxpi')
    const files = ['docs/**/*.md', 'docs/ui.svg', 'examples/**/*.*', 'lib/**/*.ts'].flatMap((pattern) =>
      globSync(pattern),
    )
    const inside = files.filter((file) => !/^docs\/(?:decisions\/|(?:conformance|oracle|tour)\.md)/.test(file))
    expect(inside.length).toBeGreaterThan(500)
    expect(files.filter((file) => existsSync(path.join(packed, file)))).toEqual(inside)
  })

  it('contains the page of the gateway, with its client', () => {
    const page = globSync('dist/*/web/*', { cwd: path.join(project, 'node_modules/rxpi') })
    const names = ['index.html', 'page.js', 'questions.js', 'rxpi-client.js', 'style.css', 'transcript.js']
    expect(page.map((file) => path.basename(file)).sort()).toEqual(names)
  })

  it.runIf(isFull)('contains no command source, test or script', () => {
    const strays = ['app', 'test', 'scripts', 'dist/build.json'].map((name) =>
      path.join(project, 'node_modules/rxpi', name),
    )
    expect(strays.filter((name) => existsSync(name))).toEqual([])
  })
})

describe.runIf(entries.length > 0)('the packed library', () => {
  it('exports every entry, and loads the user’s rxjs and no other', async () => {
    const { names, rxjs } = (await run(`
      import { registerHooks } from 'node:module'
      const found = new Set()
      registerHooks({ load(url, context, next) { if (url.includes('/rxjs/')) found.add(url); return next(url, context) } })
      const names = {}
      for (const entry of ${JSON.stringify(entries)}) names[entry] = Object.keys(await import(entry))
      const rxjs = [...found].map((url) => new URL(url).pathname)
      console.log(JSON.stringify({ names, rxjs }))`)) as { names: Record<string, string[]>; rxjs: string[] }
    expect(Object.keys(names)).toEqual(entries)
    expect(entries.filter((entry) => names[entry]?.length === 0)).toEqual([])
    expect(rxjs).not.toEqual([])
    expect(rxjs.filter((file) => !file.startsWith(path.join(project, 'node_modules/rxjs/')))).toEqual([])
  })

  it.runIf(isFull)('supports every API without an SDK beside it', async () => {
    const result = await run(`
      import { createServer } from 'node:http'
      import { anthropicMessages, googleGenerativeAi, openAiCompletions, openAiResponses } from 'rxpi/providers'
      import { lastValueFrom } from 'rxjs'
      const model = { id: 'm', provider: 'p', api: 'a', inputs: ['text'], reasoning: false }
      const request = { model, system: '', messages: [{ role: 'user', content: 'Hi', timestamp: 0 }], tools: [], thinkingLevel: 'off' }
      const server = createServer((_, response) => response.writeHead(418, { 'content-type': 'application/json' }).end('{}'))
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
      const baseUrl = 'http://127.0.0.1:' + server.address().port + '/v1'
      const told = []
      for (const wire of [anthropicMessages, googleGenerativeAi, openAiCompletions, openAiResponses]) {
        const answer$ = wire({ provider: 'p', baseUrl })(request)
        await lastValueFrom(answer$).catch(({ data }) => told.push(data.status))
      }
      server.close().closeAllConnections()
      console.log(JSON.stringify(told))`)
    expect(result).toEqual([418, 418, 418, 418])
  })

  it('contains the licences of its bundled packages', () => {
    const folder = path.join(project, 'node_modules/rxpi/dist')
    const [build = ''] = readdirSync(folder).filter((name) => /^[0-9a-f]{12}$/.test(name))
    const text = readFileSync(path.join(folder, build, 'licences.txt'), 'utf8')
    for (const name of ['openai', '@anthropic-ai/sdk', '@google/genai', 'ink', 'highlight.js']) {
      expect(text).toMatch(new RegExp(`^${name} \\d.*\\(`, 'm'))
    }
    expect(text).toContain('Permission is hereby granted')
  })

  it.runIf(isFull)(
    'runs a user’s operator, made with the user’s rxjs, in the virtual time of rxpi/testing',
    async () => {
      const outcome = await run(`
      import { delay, filter, map } from 'rxjs'
      import { marbles, scripted, scriptedModel } from 'rxpi/testing'
      const texts = (ms) => (deltas$) =>
        deltas$.pipe(filter((delta) => delta.type === 'text_delta'), map((delta) => delta.text), delay(ms))
      const provider = scripted(['hello'])
      const request = { model: scriptedModel, system: '', messages: [], tools: [], thinkingLevel: 'off' }
      marbles(({ expectObservable }) => {
        expectObservable(provider(request).pipe(texts(5_000))).toBe('5s (a|)', { a: 'hello' })
      })
      let failure = ''
      try {
        marbles(({ cold, expectObservable }) => expectObservable(cold('a|').pipe(map(String))).toBe('b|'))
      } catch (error) {
        failure = error.message
      }
      console.log(JSON.stringify({ failed: failure !== '' }))`)
      expect(outcome).toEqual({ failed: true })
    },
  )

  it.runIf(isFull)('has types for a strict project that checks its libraries', async () => {
    const imports = entries.map(
      (entry, index) => `import * as entry${index} from '${entry}'\nexport const used${index} = entry${index}\n`,
    )
    put('use.ts', imports.join(''))
    // the declarations have types of their own in place of TypeBox's
    put(
      'own-tool.ts',
      `import { Type } from '@sinclair/typebox'
      import { createSession, defineTool, textResult } from 'rxpi'
      import type { AgentEvent, CommandNamed, Tool } from 'rxpi'
      const parameters = Type.Object({ path: Type.String(), limit: Type.Optional(Type.Integer()) })
      const tool = defineTool({
        name: 'a', description: 'b', parameters,
        execute: async ({ path, limit }) => textResult(path.repeat(limit ?? 1)),
      })
      export const held: Tool<typeof parameters> = tool
      createSession({ tools: [tool] })
      type Same<Left, Right> = (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false
      export const same: [
        Same<CommandNamed<'abort'>, { type: 'abort'; session: string }>,
        Same<CommandNamed<'prompt'>['whileRunning'], 'steer' | 'follow_up' | undefined>,
      ] = [true, true]
      export const ends = (event: AgentEvent): string => event.type === 'agent_end' ? event.terminationReason : ''
      // @ts-expect-error it is a text
      export const wrong = (event: AgentEvent): number => event.type === 'agent_end' ? event.terminationReason : 0`,
    )
    const flags = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--module', 'nodenext', '--target', 'es2024']
    link('@types/node')
    link('undici-types')
    for (const name of ['@lydell/node-pty', 'fast-uri', 'fast-deep-equal', 'json-schema-traverse']) link(name)
    const arguments_ = [...flags, '--types', 'node', '--ignoreConfig', 'use.ts', 'own-tool.ts']
    const compiled = await execute(process.execPath, [path.resolve('node_modules/tsgo/bin/tsc'), ...arguments_], {
      cwd: project,
    }).catch((error: unknown) => error)
    expect(compiled).toMatchObject({ stdout: '' })
  })

  it.runIf(isFull)('has declarations for a page, without the types of Node', async () => {
    put('page.ts', ['core', 'client', 'operators'].map((name) => `export * as ${name} from 'rxpi/${name}'\n`).join(''))
    const lib = ['es2024', 'dom', 'dom.iterable', 'esnext.disposable']
    const compilerOptions = { noEmit: true, strict: true, skipLibCheck: false, module: 'nodenext', types: [], lib }
    const settings = put('tsconfig.page.json', JSON.stringify({ compilerOptions, files: ['page.ts'] }))
    const compiled = await execute(process.execPath, [path.resolve('node_modules/tsgo/bin/tsc'), '-p', settings], {
      cwd: project,
    }).catch((error: unknown) => error)
    expect(compiled).toMatchObject({ stdout: '' })
  })

  it.runIf(isFull)('has declarations that load neither TypeBox nor an SDK', async () => {
    put('light.ts', `import { createSession } from 'rxpi'\nexport const session = createSession({})\n`)
    const flags = [
      '--noEmit',
      '--listFilesOnly',
      '--module',
      'nodenext',
      '--types',
      'node',
      '--ignoreConfig',
      'light.ts',
    ]
    const { stdout } = await execute(process.execPath, [path.resolve('node_modules/tsgo/bin/tsc'), ...flags], {
      cwd: project,
    })
    expect(stdout).toContain('types/typebox.d.ts')
    const names = Array.from(stdout.matchAll(/^.*node_modules\/((?:@[^/]+\/)?[^/\n]+)\//gm), ([, name]) => name)
    const packages = [...new Set(names)].filter((name) => name?.startsWith('@typescript/') === false)
    expect(packages.toSorted()).toEqual(['@types/node', 'eventsource-parser', 'rxjs', 'rxpi', 'undici-types'])
  })

  it.runIf(isFull)('has maps from its declarations to its sources', () => {
    const packed = path.join(project, 'node_modules/rxpi')
    const maps = globSync('dist/*/types/**/*.d.ts.map', { cwd: packed })
    const lost = maps.flatMap((map) => {
      const { sources } = JSON.parse(readFileSync(path.join(packed, map), 'utf8')) as { readonly sources: string[] }
      return sources.filter((source) => !existsSync(path.join(packed, path.dirname(map), source)))
    })
    expect(maps.length).toBeGreaterThan(300)
    expect(lost).toEqual([])
  })

  const forBrowsers = ['rxpi/core', 'rxpi/client'].filter((entry) => entries.includes(entry))
  it.runIf(isFull).each(forBrowsers)('has %s in a form that a browser can load', async (entry) => {
    const bundle = await rolldown({
      input: put('browser.js', `export * from '${entry}'`),
      platform: 'browser',
      logLevel: 'silent',
      onLog: (_, log) => {
        throw new Error(log.message)
      },
    })
    const { output } = await bundle.generate({ format: 'es' })
    await bundle.close()
    expect(
      output.flatMap((chunk) => (chunk.type === 'chunk' ? [...chunk.imports, ...chunk.dynamicImports] : [])),
    ).toEqual([])
  })
})
