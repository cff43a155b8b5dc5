// Writes docs/size.md: the packed parts, the installed packages, and the reason for each package.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { installedSize } from '../checks/installed-size.ts'
import type { Weighed } from '../checks/installed-size.ts'
import { formatText } from '../shared/format-text.ts'
import { carriedParts, installed } from './size-reasons.ts'

interface Packed {
  /** Bytes of the downloaded file. */
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

/** The content of the package, by the first folder of the build. */
const parts: Readonly<Record<string, string>> = {
  command: 'the `rxpi` command with everything it needs',
  carried: 'SDKs, Markdown and highlighting for the library',
  lib: 'the library',
  types: 'the type declarations',
}

async function page(root: string): Promise<string> {
  const packed = packedIn(root)
  const { each, all } = installedSize(root, Object.keys(installed))
  const carried = installedSize(root, Object.keys(carriedParts))
  const lines = [
    '# Size',
    '',
    `\`npm run size\` wrote this page on ${process.platform} ${process.arch}. A MB is 10⁶ bytes of files.`,
    '',
    `An installation of rxpi takes **${megabytes(packed.unpackedSize + all.bytes)} MB** with ${all.packages + 1} packages: rxpi has ${megabytes(packed.unpackedSize)} MB`,
    `(${megabytes(packed.size)} MB to download), its dependencies ${megabytes(all.bytes)} MB. [beside-agents.md](beside-agents.md) has other agents, as \`du\` counts them.`,
    '',
    '## The package',
    '',
    '| part | MB | content |',
    '| --- | --- | --- |',
    ...Object.entries(parts).map(([name, what]) => `| ${name} | ${megabytes(bytesOf(packed, name))} | ${what} |`),
    `| docs, examples | ${megabytes(bytesUnder(packed, 'docs/') + bytesUnder(packed, 'examples/'))} | the pages and the programs that they name |`,
    `| sources | ${megabytes(bytesUnder(packed, 'lib/'))} | for the maps of the declarations: an editor goes from a name to its source |`,
    '',
    'The package has no test, script or second build, and no source map of its code. `licences.txt` of the build has the licences of the bundled packages.',
    '',
    '## Installed dependencies',
    '',
    ...table(each, installed),
    '',
    '## Bundled packages',
    '',
    `Installed, these would take ${megabytes(carried.all.bytes)} MB in ${carried.all.packages} packages, mostly types, sources and unused parts:`,
    '',
    ...table(carried.each, carriedParts),
    '',
    'The three SDKs cover what vendors change without notice: how a request is signed and sent, and what an error means. rxpi has its own',
    'parser for streams. The first request that needs an SDK loads it.',
    '',
  ]
  return formatText('docs/size.md', lines.join('\n'), { printWidth: 130 })
}

/** Lists the files that `npm pack` would pack; needs a build in dist. */
function packedIn(root: string): Packed {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const [packed] = JSON.parse(
    execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  ) as Packed[]
  if (packed === undefined) throw new Error('npm pack printed nothing')
  return packed
}

function bytesOf({ files }: Packed, part: string): number {
  const own = files.filter((file) => file.path.split('/')[2] === part && file.path.startsWith('dist/'))
  return own.reduce((sum, { size }) => sum + size, 0)
}

function bytesUnder({ files }: Packed, folder: string): number {
  return files.reduce((sum, file) => (file.path.startsWith(folder) ? sum + file.size : sum), 0)
}

function table(each: readonly Weighed[], reasons: Readonly<Record<string, string>>): string[] {
  const rows = [...each].sort((a, b) => b.bytes - a.bytes)
  return [
    '| package | MB | packages | reason |',
    '| --- | --- | --- | --- |',
    ...rows.map(
      ({ name, version, bytes, packages }) =>
        `| \`${name}\` ${version} | ${megabytes(bytes)} | ${packages} | ${reasons[name] ?? ''} |`,
    ),
  ]
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '../..')
  const file = path.join(root, 'docs/size.md')
  const text = await page(root)
  if (readFileSync(file, { encoding: 'utf8', flag: 'a+' }) !== text) writeFileSync(file, text)
}
