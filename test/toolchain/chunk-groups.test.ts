// Tests that a start loads few files, and never the server because of a shared line.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { expect, it, onTestFinished } from 'vitest'
import { chunkGroups } from '../../scripts/build/chunk-groups.ts'

const sources = {
  'main.js': `import './always.js'\nexport const main = () => [import('./serve.js'), import('./print.js'), import('./status.js'), import('./extension.js')]`,
  'always.js': `console.log('always')`,
  'serve.js': `import './server.js'\nconsole.log('serve')`,
  'print.js': `import './server.js'\nconsole.log('print')`,
  'status.js': `import './line.js'\nconsole.log('status')`,
  'server.js': `import './always.js'\nimport './line.js'\nimport './session.js'\nconsole.log('server')`,
  'session.js': `console.log('session')\nglobalThis.late = () => import('./late.js')`,
  'late.js': `import './session.js'\nimport './rare.js'\nconsole.log('late')`,
  'rare.js': `console.log('rare')`,
  'line.js': `import './stream.js'\nconsole.log('line')`,
  'stream.js': `console.log('stream')`,
  'extension.js': `import './stream.js'\nconsole.log('thread')`,
}

it('puts modules that are loaded together into one file', async () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-chunks-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(sources)) writeFileSync(path.join(folder, name), text)
  mkdirSync(path.join(folder, 'out'))
  const at = (name: string): string => path.join(folder, name)
  const made = await rolldown({ cwd: folder, input: { main: at('main.js') } })
  const groups = chunkGroups({
    start: at('main.js'),
    together: at('serve.js'),
    server: at('server.js'),
    thread: at('extension.js'),
  })
  await made.write({ dir: at('out'), format: 'es', chunkFileNames: '[name].js', codeSplitting: { groups } })
  await made.close()
  const chunks = readdirSync(at('out')).map((name) => [name, textsIn(readFileSync(at(`out/${name}`), 'utf8'))])
  expect(Object.fromEntries(chunks)).toMatchObject({
    'start.js': ['always'],
    'thread.js': ['stream', 'thread'],
    'shared.js': ['line'],
    'server.js': ['session', 'server', 'serve'],
    'print.js': ['print'],
    'status.js': ['status'],
    'late.js': ['rare', 'late'],
  })
})

it('loads at most ten files of the bundle before `rxpi serve` listens', () => {
  const names = readdirSync(chunks())
  // a hash is eight letters, digits, - and _
  const [serve = 'no serve', runCli = 'no run-cli'] = [/^serve-.{8}\.js$/, /^run-cli-.{8}\.js$/].map((chunk) =>
    names.find((name) => chunk.test(name)),
  )
  const loaded = new Set<string>()
  for (const file of ['../main.js', serve, runCli].map((name) => path.join(chunks(), name))) {
    expect(existsSync(file), file).toBe(true)
    loadedFrom(file, loaded)
  }
  expect(loaded.size, [...loaded].join(' ')).toBeLessThanOrEqual(10)
})

it('loads no part of the server into the thread of an extension', () => {
  const names = readdirSync(chunks())
  const loaded = new Set<string>()
  loadedFrom(
    path.join(chunks(), names.find((name) => /^run-isolated-.{8}\.js$/.test(name)) ?? 'no run-isolated'),
    loaded,
  )
  const bytes = [...loaded].reduce((sum, file) => sum + statSync(file).size, 0)
  expect(bytes, [...loaded].join(' ')).toBeLessThan(450_000)
})

/** Of the build. */
function chunks(): string {
  const { build } = JSON.parse(readFileSync('dist/build.json', 'utf8')) as { build: string }
  return path.join('dist', build, 'command/chunks')
}

/** Adds the file and all that it imports statically. */
function loadedFrom(file: string, loaded: Set<string>): void {
  if (loaded.has(file)) return
  loaded.add(file)
  const imports = readFileSync(file, 'utf8').matchAll(/\b(?:from|import) ?["'](\.[^"']*)["']/g)
  for (const [, specifier = ''] of imports) loadedFrom(path.join(path.dirname(file), specifier), loaded)
}

function textsIn(text: string): string[] {
  return [...text.matchAll(/console\.log\("(\w+)"\)/g)].map(([, word = '']) => word)
}
