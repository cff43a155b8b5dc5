// Writes the table of presets: `node scripts/pages/providers-page.ts`, after a change of a preset.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { providersPage } from './preset-table.ts'

writeFileSync(path.join(import.meta.dirname, '../../docs/providers.md'), await providersPage())
