// Tests that a start loads few files, and never the server because of a shared line.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { expect, it, onTestFinished } from 'vitest'
import { chunkGroups } from '../../scripts/build/chunk-groups.ts'

const sources = {
  'main.js': `import './always.js'\nexport const main = () => [import('./serve.js'), import('./print.js'), import('./status.js')]`,
  'always.js': `console.log('always')`,
  'serve.js': `import './server.js'\nconsole.log('serve')`,
  'print.js': `import './server.js'\nconsole.log('print')`,
  'status.js': `import './line.js'\nconsole.log('status')`,
  'server.js': `import './always.js'\nimport './line.js'\nimport './session.js'\nconsole.log('server')`,
  'session.js': `console.log('session')\nglobalThis.late = () => import('./late.js')`,
  'late.js': `import './session.js'\nimport './rare.js'\nconsole.log('late')`,
  'rare.js': `console.log('rare')`,
  'line.js': `console.log('line')`,
}

it('puts modules that are loaded together into one file', async () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-chunks-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(sources)) writeFileSync(path.join(folder, name), text)
  mkdirSync(path.join(folder, 'out'))
  const at = (name: string): string => path.join(folder, name)
  const made = await rolldown({ cwd: folder, input: { main: at('main.js') } })
  const groups = chunkGroups({ start: at('main.js'), together: at('serve.js'), server: at('server.js') })
  await made.write({ dir: at('out'), format: 'es', chunkFileNames: '[name].js', codeSplitting: { groups } })
  await made.close()
  const chunks = readdirSync(at('out')).map((name) => [name, textsIn(readFileSync(at(`out/${name}`), 'utf8'))])
  expect(Object.fromEntries(chunks)).toMatchObject({
    'start.js': ['always'],
    'shared.js': ['line'],
    'server.js': ['session', 'server', 'serve'],
    'print.js': ['print'],
    'status.js': ['status'],
    'late.js': ['rare', 'late'],
  })
})

it('loads at most ten files of the bundle before `rxpi serve` listens', () => {
  const { build } = JSON.parse(readFileSync('dist/build.json', 'utf8')) as { build: string }
  const command = path.join('dist', build, 'command')
  const names = readdirSync(path.join(command, 'chunks'))
  // a hash is eight letters, digits, - and _
  const [serve = 'no serve', runCli = 'no run-cli'] = [/^serve-.{8}\.js$/, /^run-cli-.{8}\.js$/].map((chunk) =>
    names.find((name) => chunk.test(name)),
  )
  const loaded = new Set<string>()
  const load = (file: string): void => {
    if (loaded.has(file)) return
    loaded.add(file)
    const imports = readFileSync(file, 'utf8').matchAll(/\b(?:from|import) ?["'](\.[^"']*)["']/g)
    for (const [, specifier = ''] of imports) load(path.join(path.dirname(file), specifier))
  }
  for (const file of [
    path.join(command, 'main.js'),
    ...[serve, runCli].map((name) => path.join(command, 'chunks', name)),
  ]) {
    expect(existsSync(file), file).toBe(true)
    load(file)
  }
  expect(loaded.size, [...loaded].join(' ')).toBeLessThanOrEqual(10)
})

function textsIn(text: string): string[] {
  return [...text.matchAll(/console\.log\("(\w+)"\)/g)].map(([, word = '']) => word)
}
