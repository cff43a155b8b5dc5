// Reads the YAML frontmatter of a markdown file.
// Guarantees: values are data; the frontmatter grants nothing and runs nothing.
import { defer, from, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { isRecord } from '../../streams/values/json.ts'

/** @throws if the text is not valid YAML */
export type ParseYaml = (text: string) => unknown

export interface Frontmatter {
  readonly fields: Readonly<Record<string, unknown>>
  /** The text below it. */
  readonly body: string
  /** Why the frontmatter cannot be used; `fields` is then empty. */
  readonly problem?: string
}

const fence = /^---[ \t]*\r?\n/
const end = /^---[ \t]*(?:\r?\n|$)/m

/** Returns undefined if the frontmatter needs `parseYaml`, and there is none. */
export function readFrontmatter(text: string, parseYaml?: ParseYaml): Frontmatter | undefined {
  const open = fence.exec(text)
  if (open === null) return { fields: {}, body: text }
  const rest = text.slice(open[0].length)
  const close = end.exec(rest)
  if (close === null) return { fields: {}, body: text, problem: 'its frontmatter has no closing ---' }
  const yaml = rest.slice(0, close.index)
  const body = rest.slice(close.index + close[0].length)
  const plain = plainFields(yaml)
  if (plain !== undefined) return { fields: plain, body }
  if (parseYaml === undefined) return undefined
  return { body, ...parseFields(yaml, parseYaml) }
}

function parseFields(yaml: string, parseYaml: ParseYaml): Pick<Frontmatter, 'fields' | 'problem'> {
  try {
    const value = parseYaml(yaml) ?? {}
    if (isRecord(value)) return { fields: value }
    return { fields: {}, problem: 'its frontmatter is not a list of names and values' }
  } catch (error) {
    return { fields: {}, problem: `its frontmatter is not valid YAML${faultOf(error)}` }
  }
}

/** The parser counts lines from 0, and from the one after the first `---`. */
function faultOf(error: unknown): string {
  const { reason, mark }: Readonly<Record<string, unknown>> = isRecord(error) ? error : {}
  if (typeof reason === 'string' && isRecord(mark) && typeof mark['line'] === 'number')
    return ` near line ${mark['line'] + 2} of the file: ${reason}`
  return `: ${(error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''}`
}

/** A line whose value is the same text in YAML: quoted without escapes, or of a letter and signs without a meaning. */
const plainLine =
  /^([A-Za-z][\w-]*): +(?:"([^"\\\r\n\t]*)"|'([^'\r\n\t]*)'|([A-Za-z](?:[^:#\r\n\t]|:(?=[^\s]))*?)) *\r?$/
/** Words that YAML may read as another type. */
const typedWord = /^(?:true|false|null|yes|no|on|off|y|n)$/i

/**
 * The fields, if every line is plain: most files spare the YAML library (docs/decisions/0400). Undefined if one is not.
 */
function plainFields(yaml: string): Readonly<Record<string, string>> | undefined {
  const fields = new Map<string, string>()
  const lines = yaml.split('\n')
  if (lines.at(-1) === '') lines.pop()
  for (const line of lines) {
    const [, name = '', double, single, bare = ''] = plainLine.exec(line) ?? []
    if (name === '' || typedWord.test(bare) || typedWord.test(name) || fields.has(name) || name === '__proto__')
      return undefined
    fields.set(name, double ?? single ?? bare)
  }
  return Object.fromEntries(fields)
}

let loaded: ParseYaml | undefined

/** Emits the YAML parser once, synchronously if it is loaded. */
export const yamlParser$: Observable<ParseYaml> = defer(() =>
  loaded === undefined ? from(import('js-yaml')).pipe(map(({ load }) => (loaded = (text) => load(text)))) : of(loaded),
)

/** The YAML parser, if it is loaded. */
export function loadedYaml(): ParseYaml | undefined {
  return loaded
}
