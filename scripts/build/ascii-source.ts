// Escapes every character beyond ASCII in the bundled command.
//
// Effect: V8 stores a module in one byte a character, or in two if a single character of it is no Latin-1, such as a
// dash in a message. One byte is half the memory of the text, and quicker to read. Measured 2026-11-23, Node 24.21,
// `node bench/build-pairs.ts WITH WITHOUT --rows ready`: without it `rxpi rpc` is ready after 1.08 times the CPU time
// and 1.07 times the time, with 1.05 times the memory; `rxpi serve` after 1.03 times the CPU time. It makes no other
// row slower.
// Off: `RXPI_BUILD_WITHOUT=ascii-source npm run build`. Table: docs/decisions/0110-build-tricks.md.
// Guarantees: a module does the same. Only a pattern's `source` and a raw template would differ; a module with a raw
// template of such characters stays as it is.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { Visitor } from 'rolldown/utils'

/** Rewrites the modules of a bundle in place. */
export function writeInAscii(folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  for (const file of names.map((name) => path.join(folder, name)))
    writeFileSync(file, asciiSource(readFileSync(file, 'utf8')))
}

/** Returns the module in ASCII. Texts, templates, patterns and names know the same escape. */
export function asciiSource(source: string): string {
  if (hasRawTemplate(source)) return source
  return source.replaceAll(
    /(\\*)([^\0-\x7F])/g,
    (_, slashes: string, character: string) => slashes.slice(slashes.length % 2) + escaped(character),
  )
}

/** Escapes one UTF-16 unit. The caller has dropped a backslash before it that had no effect. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function hasRawTemplate(source: string): boolean {
  let found = false
  new Visitor({
    TaggedTemplateExpression: ({ start, end }) => {
      found ||= /[^\0-\x7F]/.test(source.slice(start, end))
    },
  }).visit(parseAst(source, { lang: 'js' }))
  return found
}
