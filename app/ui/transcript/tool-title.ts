// What a call is about, in a few words: a command, a path, or its arguments as they are.
import type { ToolItem } from '../view/view-item.ts'

export function toolTitle({ name, args, argumentsText }: Pick<ToolItem, 'name' | 'args' | 'argumentsText'>): string {
  if (args === undefined) return partial(argumentsText)
  const given: Readonly<Record<string, unknown>> = typeof args === 'object' && args !== null ? { ...args } : {}
  const { command, path, pattern, url, query, offset, limit } = given
  if (name === 'read' && typeof path === 'string') return `${path}${range(offset, limit)}`
  const words = [command, pattern, query, path, url].filter((value) => typeof value === 'string')
  if (words.length > 0) return words.join(' ')
  return Object.keys(given).length === 0 ? '' : JSON.stringify(given)
}

/** While the arguments come: the first text in them that tells something. */
function partial(text: string): string {
  const [, value] = /"(?:command|path|pattern|url|query)"\s*:\s*"((?:[^"\\]|\\.)*)/.exec(text) ?? []
  return value === undefined ? '' : value.replace(/\\n/g, ' ').replace(/\\(.)/g, '$1')
}

function range(offset: unknown, limit: unknown): string {
  const first = typeof offset === 'number' ? offset : 1
  if (typeof limit === 'number') return ` · lines ${first}–${first + limit - 1}`
  return typeof offset === 'number' ? ` · from line ${first}` : ''
}
