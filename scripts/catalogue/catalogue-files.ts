// Writes the rows of the published models as files, provider by provider.
// Guarantees: it adds no fact of its own.
import { publishedProviders, publishedRows } from '../../lib/providers/catalogue/published-rows.ts'
import type { PublishedModel } from '../../lib/streams/models/catalogue-schemas.ts'

interface Source {
  readonly name: string
  readonly version: string
  readonly date: string
  readonly licence: string
}

/** Returns the text of each file by name: one file a provider, and `index.ts`, which loads them. */
export function catalogueFiles(
  models: Readonly<Record<string, Readonly<Record<string, PublishedModel>>>>,
  source: Source,
): Map<string, string> {
  const files = new Map<string, string>()
  for (const [provider, theirs] of Object.entries(publishedProviders)) {
    const { rows, otherApi } = publishedRows(provider, Object.values(models[theirs] ?? {}))
    for (const { id, api } of otherApi)
      throw new Error(`the source has ${provider}/${id} at ${api}: change apisByModel of its preset`)
    if (rows.length === 0) throw new Error(`the source has no models of ${theirs}`)
    const lines = rows.map((row) => `  ${JSON.stringify(row)},\n`).join('')
    const text = `${header(source)}${rowImport}\nexport const rows: readonly CatalogueRow[] = [\n${lines}]\n`
    files.set(`${provider}.ts`, text)
  }
  return files.set('index.ts', indexText(source))
}

const rowImport = "import type { CatalogueRow } from '../catalogue/catalogue-row.ts'\n"

function header({ name, version, date, licence }: Source): string {
  return `// Written by scripts/catalogue/catalogue.ts from ${name} ${version} of ${date} (licence ${licence}); do not change it by hand.\n`
}

function indexText(source: Source): string {
  const loaders = Object.keys(publishedProviders).map(
    (name) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: () => import('./${name}.ts'),\n`,
  )
  return `${header(source)}${rowImport}
/** Where the data is from, and of which day. */
export const catalogueSource = ${JSON.stringify(source)} as const

/** The rows of each provider, read when they are asked for. */
export const catalogueLoaders: Readonly<Record<string, () => Promise<{ readonly rows: readonly CatalogueRow[] }>>> = {
${loaders.join('')}}
`
}
