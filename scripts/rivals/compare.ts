// Runs the same program in rxpi, AI SDK and pi-agent-core, and writes docs/beside.md.
// The rivals are installed into a temporary folder. Run: `npx node scripts/rivals/compare.ts`
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { formatText } from '../shared/format-text.ts'
import { countLines, programFolder, programs } from './count-lines.ts'

const root = path.resolve(import.meta.dirname, '../..')
const expected = ['progress: 1 of 2', 'progress: 2 of 2', 'result: counted to 2', 'text: Done.']

const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-rivals-'))
try {
  installRivals()
  for (const { name, file } of programs) {
    const missing = expected.filter((line) => !printedBy(file).includes(line))
    if (missing.length > 0) throw new Error(`${name} did not print: ${missing.join(', ')}`)
  }
  writeFileSync(path.join(root, 'docs/beside.md'), await page())
} finally {
  rmSync(folder, { recursive: true })
}

function installRivals(): void {
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const flags = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const { version } = JSON.parse(readFileSync(path.join(root, 'node_modules/zod/package.json'), 'utf8')) as {
    readonly version: string
  }
  const packages = programs.flatMap((program) => program.packages)
  const options = { cwd: folder, stdio: 'inherit', timeout: 180_000 } as const
  execFileSync('npm', ['install', ...flags, `zod@${version}`, ...packages], options)
  symlinkSync(root, path.join(folder, 'node_modules/rxpi'))
  symlinkSync(path.join(root, 'node_modules/rxjs'), path.join(folder, 'node_modules/rxjs'))
}

function printedBy(file: string): readonly string[] {
  copyFileSync(path.join(programFolder, file), path.join(folder, file))
  return execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8', timeout: 60_000 }).split('\n')
}

async function page(): Promise<string> {
  const rows = programs.map(({ name, file, packages }) => {
    const { all, tool } = countLines(file)
    const version = packages[0]?.split('@').at(-1) ?? 'this version'
    return `| ${name} | ${version} | ${all} | ${tool} |`
  })
  const sources = programs.flatMap(({ name, file }) => {
    const code = readFileSync(path.join(programFolder, file), 'utf8')
    return ['', `## ${name}`, '', '```js', code.trimEnd(), '```']
  })
  const lines = [
    '# Beside other libraries',
    '',
    'The same small program in three libraries: a tool that reports progress, a scripted model that calls it, one run, and a print of',
    'progress, result and answer. `npx node scripts/rivals/compare.ts` installed the others, ran all three, checked that each printed the',
    'same lines, counted them and wrote this page. Blank lines and comments do not count.',
    '',
    '| library | version | lines | of these, the tool |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    'The lines say how much there is to write and read, and nothing about what a library does beyond them. AI SDK shows the last value of the',
    'tool as progress, too. What each does with an abort, a full queue or a crash is in [loop.md](loop.md) for rxpi, and in',
    '[oracle.md](oracle.md) beside pi.',
    ...sources,
    '',
  ]
  return formatText('docs/beside.md', lines.join('\n'))
}
