// Draws the parts of a session's next request as bars.
import type { ResultOf } from '../../lib/streams/commands/command.ts'
import { countOf } from '../../lib/streams/values/count-of.ts'

type NextRequest = NonNullable<ResultOf<'get_context'>['request']>

const barWidth = 24
const mostNames = 20
/** The name of the stand-in for a model that is not chosen yet. */
const noModel = 'none/none'

/** One line a part with its tokens and its share, after a line with the sum; without line feeds. */
export function contextBars({ model, contextWindow, tokens, parts, changes, unlisted }: NextRequest): string[] {
  const window = contextWindow === undefined ? '' : ` of ${format(contextWindow)} (${percent(tokens, contextWindow)})`
  const names = parts.map(({ kind, name, count }) => `${kind} ${name}${count === undefined ? '' : ` (${count})`}`)
  const width = Math.max(0, ...names.map(({ length }) => length))
  const most = Math.max(1, ...parts.map((part) => part.tokens))
  return [
    `${model === noModel ? 'no model is chosen' : model}: about ${format(tokens)} tokens${window}`,
    ...parts.map((part, index) => {
      const filled = Math.round((part.tokens / most) * barWidth)
      const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
      const number = format(part.tokens).padStart(9)
      return `${(names[index] ?? '').padEnd(width)} ${bar}${number} ${percent(part.tokens, tokens).padStart(4)}`
    }),
    ...(changes === undefined ? [] : [changesText(changes)]),
    ...(unlisted === undefined ? [] : [unlistedText(unlisted)]),
  ]
}

/** `left out: 40 tools, about 9,000 tokens, which search_tools finds: github_list, …` */
function unlistedText(unlisted: NonNullable<NextRequest['unlisted']>): string {
  const tokens = unlisted.reduce((sum, tool) => sum + tool.tokens, 0)
  const names = unlisted.slice(0, mostNames).map(({ name }) => name)
  const more = unlisted.length > mostNames ? ` and ${unlisted.length - mostNames} more` : ''
  const count = countOf(unlisted.length, 'tool')
  return `left out: ${count}, about ${format(tokens)} tokens, which search_tools finds: ${names.join(', ')}${more}`
}

/** `of the messages: 41 summarised, 2 pinned` */
function changesText(changes: NonNullable<NextRequest['changes']>): string {
  const counts = Object.entries(changes).filter(([, count]) => count > 0)
  return `of the messages: ${counts.map(([name, count]) => `${count} ${name}`).join(', ')}; /tree marks them`
}

function percent(part: number, whole: number): string {
  return `${Math.round((part / Math.max(1, whole)) * 100)}%`
}

function format(tokens: number): string {
  return tokens.toLocaleString('en-US')
}
