// Writes the table of presets into docs/providers.md. Run it after a change of a preset.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { providersPage } from './preset-table.ts'

writeFileSync(path.join(import.meta.dirname, '../../docs/providers.md'), await providersPage())
