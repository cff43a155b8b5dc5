// Writes docs/size.md: what is packed, what an installation brings beside it, and why each package is there.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { format } from 'prettier'
import { installedSize } from '../checks/installed-size.ts'
import type { Weighed } from '../checks/installed-size.ts'
import { carriedParts, installed } from './size-reasons.ts'

interface Packed {
  /** Of the file that is fetched, in bytes. */
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

/** What is in the package, by the first folder of the build. */
const parts: Readonly<Record<string, string>> = {
  command: 'the `rxpi` command with all that it needs',
  carried: 'SDKs, Markdown and highlighting for the library',
  lib: 'the library',
  types: 'its declarations',
}

async function page(root: string): Promise<string> {
  const packed = packedIn(root)
  const { each, all } = installedSize(root, Object.keys(installed))
  const carried = installedSize(root, Object.keys(carriedParts))
  const lines = [
    '# Size',
    '',
    `Written by \`npm run size\` on ${process.platform} ${process.arch}; MB are 10⁶ bytes of files.`,
    '',
    `An installation of rxpi takes **${megabytes(packed.unpackedSize + all.bytes)} MB** with ${all.packages + 1} packages: rxpi itself ${megabytes(packed.unpackedSize)} MB`,
    `(${megabytes(packed.size)} MB to fetch), and ${megabytes(all.bytes)} MB beside it. pi 0.87.1 takes 159 MB.`,
    '',
    '## What is packed',
    '',
    '| part | MB | what |',
    '| --- | --- | --- |',
    ...Object.entries(parts).map(([name, what]) => `| ${name} | ${megabytes(bytesOf(packed, name))} | ${what} |`),
    '',
    'No source map, test, source or second build is packed. Licences of what is carried stand in `licences.txt` of the build.',
    '',
    '## What is installed beside it',
    '',
    ...table(each, installed),
    '',
    '## What is carried instead of being installed',
    '',
    `Installed, these would be ${megabytes(carried.all.bytes)} MB in ${carried.all.packages} packages, most of it types, sources and parts that nothing here uses:`,
    '',
    ...table(carried.each, carriedParts),
    '',
    'The three SDKs are there for what vendors change without notice: how a request is signed and sent, and what an error means. Streams',
    'are read by one parser of our own. Each is loaded by the first request that needs it.',
    '',
  ]
  return format(lines.join('\n'), { parser: 'markdown', printWidth: 130 })
}

/** As `npm pack` would; what stands in dist is packed. */
function packedIn(root: string): Packed {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const [packed] = JSON.parse(
    execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  ) as Packed[]
  if (packed === undefined) throw new Error('npm pack said nothing')
  return packed
}

function bytesOf({ files }: Packed, part: string): number {
  const own = files.filter((file) => file.path.split('/')[2] === part && file.path.startsWith('dist/'))
  return own.reduce((sum, { size }) => sum + size, 0)
}

function table(each: readonly Weighed[], reasons: Readonly<Record<string, string>>): string[] {
  const rows = [...each].sort((a, b) => b.bytes - a.bytes)
  return [
    '| package | MB | packages | why |',
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
