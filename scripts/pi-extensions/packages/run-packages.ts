// Tries published pi packages in rxpi; `npm run pi-packages [-- words of a name …]`.
// `--page` writes their section of docs/pi-extensions.md; `--json=FILE` the records; `--from=FILE` takes the others from a file.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { withWorkspace } from '../../../bench/workspace.ts'
import type { PackageRecord } from './package-record.ts'
import { publishedPackages } from './package-list.ts'
import { packagesHeading, packagesSection } from './packages-section.ts'
import { formatText } from '../../shared/format-text.ts'
import { tryPackage } from './try-package.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const words = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const option = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)

const stored = option('from')
const earlier = stored === undefined ? [] : (JSON.parse(readFileSync(stored, 'utf8')) as PackageRecord[])
const tried = stored !== undefined && words.length === 0 ? [] : await tryAll()
const records = [...earlier.filter((record) => !tried.some((each) => each.package === record.package)), ...tried]
const json = option('json')
if (json !== undefined) writeFileSync(json, `${JSON.stringify(records, null, 2)}\n`)
if (process.argv.includes('--page')) await writeSection(inOrder(records))

function inOrder(all: readonly PackageRecord[]): PackageRecord[] {
  return publishedPackages.flatMap(({ name }) => all.filter((record) => record.package === name))
}

async function tryAll(): Promise<PackageRecord[]> {
  const chosen = publishedPackages.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  const all: PackageRecord[] = []
  await withWorkspace(root, async (workspace) => {
    for (const published of chosen) {
      const record = await tryPackage(workspace, published)
      all.push(record)
      print(record)
    }
  })
  return all
}

function print(record: PackageRecord): void {
  console.log(
    `\n## ${record.package}@${record.version}${record.failed === undefined ? '' : ` FAILED ${record.failed}`}`,
  )
  for (const line of record.unloaded) console.log(`  unloaded: ${line}`)
  for (const line of record.opening) console.log(`  opening: ${line}`)
  for (const { step, effects, failed } of record.steps) {
    console.log(
      `  - ${step}${failed === undefined ? '' : ` FAILED ${failed}`}${effects.length === 0 ? ' NOTHING' : ''}`,
    )
    for (const line of effects) console.log(`      ${line}`)
  }
  if (record.ending !== '0') console.log(`  ending: ${record.ending}`)
}

/** The rest of the page is that of `npm run pi-extensions -- --page`, which leaves the section as it is. */
async function writeSection(tried: readonly PackageRecord[]): Promise<void> {
  const page = path.join(root, 'docs/pi-extensions.md')
  const [rest = ''] = readFileSync(page, 'utf8').split(packagesHeading)
  writeFileSync(page, await formatText(page, `${rest.trimEnd()}\n\n${packagesSection(tried)}`))
}
