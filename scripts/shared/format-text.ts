// Formats a text as `npm run format` formats a file of that name.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { format } from 'oxfmt'
import type { FormatConfig } from 'oxfmt'

const configuration = path.resolve(import.meta.dirname, '../../.oxfmtrc.json')

/** Throws if the text cannot be parsed; `name` decides the language. */
export async function formatText(name: string, text: string, options: FormatConfig = {}): Promise<string> {
  const settings = JSON.parse(readFileSync(configuration, 'utf8')) as FormatConfig
  const { code, errors } = await format(name, text, { ...settings, ...options })
  if (errors.length > 0) throw new Error(`${name}: ${errors.map(({ message }) => message).join('; ')}`)
  return code
}
