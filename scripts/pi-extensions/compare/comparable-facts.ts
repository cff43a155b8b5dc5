// Makes the record of an example comparable: the facts that pi and rxpi can share.
import type { ExtensionRecord, RequestFacts } from '../contract/extension-record.ts'

/** Names of facts; each is a list of lines. */
export type Facts = Readonly<Record<string, readonly string[]>>

/** Tools that both sides have, with words of their own. */
const builtIn: ReadonlySet<string> = new Set(['read', 'write', 'edit', 'bash', 'grep', 'find', 'ls', 'powershell'])

/** @param without the same situation without the extension: requests are compared by the difference to it */
export function comparableFacts(record: ExtensionRecord, without: ExtensionRecord): Facts {
  const { registered, shown, events, errors, transcript, requests, loadError } = record
  const names = (list: readonly { readonly name: string; readonly description?: string }[]): string[] =>
    unique(list.map(({ name, description = '' }) => `${name}: ${description}`))
  return {
    loading: loadError === undefined ? [] : ['failed'],
    tools: unique(registered.tools.map((tool) => (builtIn.has(tool.name) ? tool.name : `${tool.name}: ${tool.description ?? ''} ${sortedJson(tool.parameters)}`))), // prettier-ignore
    commands: names(registered.commands),
    shortcuts: names(registered.shortcuts),
    flags: names(registered.flags),
    shown: withoutEmptyEnds(shown).map(({ kind, text }) => `${kind}: ${text.trim().replace(/\d+ chars/, 'N chars')}`),
    events: [...new Set(events.map((event) => event.split(' ')[0] ?? ''))].toSorted(),
    errors: errors.map((line) => line.split(':')[0] ?? '').toSorted(),
    transcript: transcript.filter((line) => !/^(context|bashExecution):|^entry /.test(line)).map(transcriptLine),
    entries: transcript.filter((line) => line.startsWith('entry ')),
    requests: requests.filter(({ tools }) => tools.length > 0).map((request) => requestLine(request, without.requests)),
  }
}

/**
 * The end of something that was not there shows nothing, and neither does the same title again: rxpi has no event of it. What ends
 * with the session is left out: no client shows it any more.
 */
function withoutEmptyEnds(shown: ExtensionRecord['shown']): ExtensionRecord['shown'] {
  const open = new Set<string>()
  let title = ''
  const rest = shown.filter(({ kind, text }) => {
    if (kind === 'title') {
      const isNew = text !== title
      title = text
      return isNew
    }
    if (!/^(widget|footer|header|editor component|status)/.test(kind)) return true
    const name = kind === 'status' ? `status ${text.slice(0, text.indexOf(': '))}` : kind
    const isEnd = text === '(none)' || (kind === 'status' && text.endsWith(': (none)'))
    if (!isEnd) open.add(name)
    return !isEnd || open.delete(name)
  })
  return rest.slice(0, rest.findLastIndex(({ text }) => !text.endsWith('(none)')) + 1)
}

/** Each session registers anew. */
function unique(lines: readonly string[]): string[] {
  return [...new Set(lines)].toSorted()
}

/** A message of an extension goes to models as one of the user; results of built-in tools have words of each side. */
function transcriptLine(line: string): string {
  const tool = /^toolResult (\w+)( error)?:/.exec(line)
  if (tool?.[1] !== undefined && builtIn.has(tool[1]))
    return `toolResult ${tool[1]}${tool[1] === 'find' ? '' : (tool[2] ?? '')}` // pi downloads its own finder
  if (line.startsWith('compaction:')) return 'compaction'
  return line.replace(/^custom [^:]*:/, 'user:').trim()
}

/** What the request has, and the first one without the extension has not. */
function requestLine(
  { model, system, tools, messages, headers }: RequestFacts,
  without: readonly RequestFacts[],
): string {
  const [base] = without
  const before = new Set(base?.system.split('\n'))
  const added = system.split('\n').filter((line) => line.trim() !== '' && !before.has(line) && !isHeading(line))
  const own = tools.filter((name) => base?.tools.includes(name) !== true && name !== 'todo')
  const gone = (base?.tools ?? []).filter(
    (name) => ['read', 'write', 'edit', 'bash'].includes(name) && !tools.includes(name),
  )
  const inputs = messages
    .filter(
      (line) => line.startsWith('user:') && !/^user: (Ran `|I ran this|Call these tools|These tools can)/.test(line),
    )
    .map((line) => line.trim())
  const extra = headers.filter((line) => base?.headers.includes(line) !== true)
  return JSON.stringify({
    model,
    added: added.toSorted(),
    own: own.filter((name) => !builtIn.has(name)),
    gone,
    inputs,
    extra,
  })
}

function isHeading(line: string): boolean {
  return /^(Further tools|Rules of these tools|Available tools|Guidelines):$|^(Date|Folder|Branch|Current)|^\(none\)$|^- (find|grep|ls): /.test(
    line,
  )
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => one.localeCompare(other)))
      : part,
  )
}

/** The names of the facts that differ. */
export function differingFacts(one: Facts, other: Facts): string[] {
  return Object.keys(one).filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]))
}
