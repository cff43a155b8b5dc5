// Writes docs/security-commands.md. Run it after a change of the cases or of the classes.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { formatText } from '../shared/format-text.ts'
import { commandPage } from './command-table.ts'

const file = path.join(import.meta.dirname, '../../docs/security-commands.md')
writeFileSync(file, await formatText(file, commandPage()))
