// Tries published pi packages in rxpi; `npm run pi-packages [-- words of a name …] [--json=FILE]`.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { withWorkspace } from '../../../bench/workspace.ts'
import type { PackageRecord } from './package-record.ts'
import { publishedPackages } from './package-list.ts'
import { tryPackage } from './try-package.ts'

const words = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const json = process.argv.find((word) => word.startsWith('--json='))?.slice('--json='.length)

await withWorkspace(path.resolve(import.meta.dirname, '../../..'), async (workspace) => {
  const chosen = publishedPackages.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  const records: PackageRecord[] = []
  for (const published of chosen) {
    const record = await tryPackage(workspace, published)
    records.push(record)
    console.log(
      `\n## ${record.package}@${record.version}${record.failed === undefined ? '' : ` FAILED ${record.failed}`}`,
    )
    for (const line of record.unloaded) console.log(`  unloaded: ${line}`)
    for (const line of record.opening) console.log(`  opening: ${line}`)
    for (const { step, effects, failed } of record.steps) {
      console.log(`  - ${step}${failed === undefined ? '' : ` FAILED ${failed}`}${effects.length === 0 ? ' NOTHING' : ''}`) // prettier-ignore
      for (const line of effects) console.log(`      ${line}`)
    }
    if (record.ending !== '0') console.log(`  ending: ${record.ending}`)
  }
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(records, null, 2)}\n`)
})
