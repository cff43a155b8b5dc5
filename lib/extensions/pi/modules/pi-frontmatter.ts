// Reads the YAML block at the start of a Markdown file, as far as skills and agents of pi use it.
import { Failure } from '../../../streams/values/failure.ts'

export interface Frontmatter {
  readonly frontmatter: Readonly<Record<string, unknown>>
  readonly body: string
}

const block = /^---[ \t]*\r?\n([\s\S]*?)\r?\n?---[ \t]*(?:\r?\n|$)/

/**
 * `parseFrontmatter` of pi for one level of keys: texts, numbers, true and false, lists. A file without a block is all body.
 * @throws Failure `bad_config` for a line that is none of these
 */
export function parseFrontmatter(text: string): Frontmatter {
  const found = block.exec(text)
  if (found === null) return { frontmatter: {}, body: text }
  const frontmatter: Record<string, unknown> = {}
  let list: unknown[] | undefined
  for (const line of (found[1] ?? '').split(/\r?\n/)) {
    const [, key, value = ''] = /^([\w-]+):[ \t]*(.*)$/.exec(line) ?? []
    const item = /^[ \t]+-[ \t]+(.*)$/.exec(line)?.[1]
    if (key !== undefined) {
      list = value === '' ? [] : undefined
      frontmatter[key] = list ?? scalar(value)
    } else if (item !== undefined && list !== undefined) list.push(scalar(item))
    else if (line.trim() !== '' && !line.trimStart().startsWith('#'))
      throw new Failure(
        'bad_config',
        `The front matter has a line that is no key with a value: ${JSON.stringify(line)}`,
      )
  }
  return { frontmatter, body: text.slice(found[0].length) }
}

function scalar(text: string): unknown {
  const value = text.trim()
  const quoted = /^(["'])(.*)\1$/.exec(value)?.[2]
  if (quoted !== undefined) return quoted
  if (value === 'true' || value === 'false') return value === 'true'
  if (/^\[.*\]$/.test(value))
    return value
      .slice(1, -1)
      .split(',')
      .map((part) => scalar(part))
      .filter((part) => part !== '')
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
}

export function stripFrontmatter(text: string): string {
  return parseFrontmatter(text).body
}
