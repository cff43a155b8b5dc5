// A module in ASCII is one byte a character for V8; a single dash or arrow in a text of a message makes it two, of all of it.
import { parseAst } from 'rolldown/parseAst'
import { Visitor } from 'rolldown/utils'

/**
 * The module with everything beyond ASCII escaped, which changes nothing of what it does: texts, templates, patterns and names
 * know the same escape. Only who reads a pattern's `source` sees it, and who takes a template raw: a module with such a one stays as it is.
 */
export function asciiSource(source: string): string {
  if (hasRawTemplate(source)) return source
  return source.replaceAll(
    /(\\*)([^\0-\x7F])/g,
    (_, slashes: string, character: string) => slashes.slice(slashes.length % 2) + escaped(character),
  )
}

/** Of one UTF-16 unit; a backslash in front of it, which escapes nothing, is gone. */
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
