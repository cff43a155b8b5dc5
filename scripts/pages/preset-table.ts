// Builds the table of presets in docs/providers.md, in the order in which a key selects a provider.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { formatText } from '../shared/format-text.ts'
import { presets } from '../../lib/providers/endpoints/presets.ts'
import type { Preset } from '../../lib/providers/endpoints/preset.ts'

const marks = ['<!-- presets: written by scripts/pages/providers-page.ts -->', '<!-- end of presets -->'] as const

/** The page with the current table. */
export async function providersPage(): Promise<string> {
  const file = path.join(import.meta.dirname, '../../docs/providers.md')
  const text = readFileSync(file, 'utf8')
  const [before = '', rest] = text.split(marks[0])
  const after = rest?.split(marks[1])[1]
  if (after === undefined) throw new Error('docs/providers.md lacks the marks around its table of presets')
  const rows = Object.entries(presets).map(([name, preset]) => row(name, preset))
  const table = [
    '| name | provider | API | address | key | default model | note |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ]
  const page = `${before}${marks[0]}\n\n${table.join('\n')}\n\n${marks[1]}${after}`
  return formatText(file, page)
}

function row(name: string, preset: Preset): string {
  const { title, api, baseUrl, baseUrlVariable, defaultModel, note, local } = preset
  const address = [code(baseUrl), code(baseUrlVariable)].filter((part) => part !== '').join(' or ')
  const model = local === true ? 'the first it serves' : code(defaultModel)
  const cells = [code(name), title, code(api), address, keyCell(preset), model, note ?? '']
  return `| ${cells.join(' | ')} |`
}

/** In brackets: the key does not select the provider. */
function keyCell({
  account,
  keyVariable,
  otherKeyVariables = [],
  sharedKey,
  keyOptional,
  insteadOfKey,
}: Preset): string {
  if (account?.required === true) return '[account](accounts.md)'
  if (keyVariable === undefined) return 'none'
  const names = [keyVariable, ...otherKeyVariables, insteadOfKey].map(code).filter((name) => name !== '')
  const all = names.join(', ')
  if (keyOptional === true) return `${all} (optional)`
  return sharedKey === true ? `(${all})` : all
}

function code(text: string | undefined): string {
  return text === undefined ? '' : `\`${text}\``
}
