// The demo model: fixed rules that answer with the real results of tools.
//
// Guarantees: the answer depends on the messages alone.
import { defer, from } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { ProviderRequest } from '../../streams/ports/provider.ts'
import type { ScriptedAnswer } from '../../streams/config/script-file.ts'
import {
  demoIntent,
  demoTurn,
  changeAnswer,
  helpAnswer,
  outputAnswer,
  readAnswer,
  unknownAnswer,
  byRules,
} from './demo-answers.ts'
import type { DemoIntent, DemoTurn, DemoStep } from './demo-answers.ts'
import { scriptedDeltas } from './message-deltas.ts'
import { countOf } from '../../streams/values/count-of.ts'

/** UTF-16 units in a delta, so that it streams like a model. */
const pieceLength = 24

/** Emits the answer; cold and synchronous, without state between requests. */
export function demo(request: ProviderRequest): Observable<AssistantDelta> {
  return defer(() => {
    const answer = { pieceLength, ...answerTo(demoTurn(request.messages), request) }
    return from(scriptedDeltas(answer, request, request.messages.length))
  })
}

function answerTo(turn: DemoTurn, { tools }: ProviderRequest): ScriptedAnswer {
  const intent = demoIntent(turn.question)
  const missing = toolsOf(intent).filter((name) => !tools.some((tool) => tool.name === name))
  if (missing.length > 0)
    return { text: `For that I need the tool ${missing.join(' and ')}, which is not active here.` }
  switch (intent.kind) {
    case 'look':
      return lookAnswer(turn, { canRead: tools.some(({ name }) => name === 'read') })
    case 'read':
      return readAnswer(intent.path, turn)
    case 'run':
      return outputAnswer(intent.command, turn)
    case 'write':
    case 'edit':
      return changeAnswer(intent, turn)
    case 'help':
      return helpAnswer
    case 'unknown':
      return unknownAnswer
  }
}

function toolsOf({ kind }: DemoIntent): string[] {
  if (kind === 'look' || kind === 'run') return ['bash']
  return kind === 'read' || kind === 'write' || kind === 'edit' ? [kind] : []
}

// "What is in this folder?" takes two calls: one lists the folder, one reads its most informative file.

/** Prints one entry a line, folders with a final `/`, then the folder's path: a long output loses its beginning. */
const listCommand = 'ls -1Ap && pwd'
/** The most informative files of a folder, best first. */
const informativeFiles = [
  /^readme(\.(md|markdown|rst|txt))?$/i,
  /^package\.json$/,
  /^(pyproject\.toml|cargo\.toml|go\.mod|pom\.xml|build\.gradle|gemfile|composer\.json)$/i,
  /^makefile$/i,
  /\.md$/i,
]
const mostNames = 12
const mostLines = 6

interface Listing {
  readonly folder: string
  /** The number of entries; more than the list has if the output was cut. */
  readonly count: number
  readonly folders: readonly string[]
  readonly files: readonly string[]
}

function lookAnswer({ steps }: DemoTurn, { canRead }: { readonly canRead: boolean }): ScriptedAnswer {
  const listed = steps.find(({ tool }) => tool === 'bash')
  if (listed === undefined) {
    return { text: 'I list the folder first.', toolCalls: [{ name: 'bash', arguments: { command: listCommand } }] }
  }
  if (listed.isError) return { text: `The folder could not be listed:\n\n${listed.text}` }
  const listing = parseListing(listed.text)
  const read = steps.find(({ tool }) => tool === 'read')
  const path = read === undefined && canRead ? mostInformative(listing.files) : undefined
  if (path === undefined) return { text: compose(listing, read) }
  return { text: `${path} may tell more.`, toolCalls: [{ name: 'read', arguments: { path, limit: 60 } }] }
}

function parseListing(output: string): Listing {
  const lines = output.split('\n').filter((line) => line !== '')
  const cut = /^\[This is .* of (\d+) /.exec(lines.at(-1) ?? '')
  if (cut !== null) lines.pop()
  const folder = lines.pop() ?? ''
  return {
    folder,
    count: cut === null ? lines.length : Number(cut[1]) - 1,
    folders: lines.filter((name) => name.endsWith('/')),
    files: lines.filter((name) => !name.endsWith('/')),
  }
}

function mostInformative(files: readonly string[]): string | undefined {
  for (const pattern of informativeFiles) {
    const found = files.find((name) => pattern.test(name))
    if (found !== undefined) return found
  }
  return undefined
}

function compose({ folder, count, folders, files }: Listing, read: DemoStep | undefined): string {
  const listed = folders.length + files.length
  const holds = `${countOf(folders.length, 'folder')} and ${countOf(files.length, 'file')}`
  if (count === 0) return `The folder ${folder} is empty.\n\n${byRules}`
  const lines = [
    `The folder ${folder} holds ${count > listed ? `${count} entries, among them ${holds}` : holds}.`,
    ...listNames('Folders', folders),
    ...listNames('Files', files),
    ...excerpt(read),
    byRules,
  ]
  return lines.join('\n\n')
}

function listNames(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return []
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
  return [`${title}: ${names.slice(0, mostNames).join(', ')}${more}`]
}

function excerpt(read: DemoStep | undefined): string[] {
  if (read === undefined) return []
  const path = String(read.arguments['path'])
  if (read.isError) return [`${path} could not be read: ${read.text}`]
  const about = path === 'package.json' ? aboutPackage(read.text) : undefined
  const lines = read.text.split('\n').filter((line) => line.trim() !== '')
  const first = lines.slice(0, mostLines).map((line) => `> ${line.length > 160 ? `${line.slice(0, 160)}…` : line}`)
  return [about ?? (first.length === 0 ? `${path} is empty.` : `${path} begins:\n${first.join('\n')}`)]
}

/** Undefined if it is cut or no JSON: then the answer shows its first lines. */
function aboutPackage(text: string): string | undefined {
  try {
    const { name, description, scripts } = JSON.parse(text) as Record<string, unknown> // only strings of it are used
    const does = typeof description === 'string' ? `: ${description}` : ''
    const commands = typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : []
    const runs = commands.length > 0 ? ` Its scripts: ${commands.slice(0, mostNames).join(', ')}.` : ''
    return typeof name === 'string' ? `package.json describes "${name}"${does}.${runs}` : undefined
  } catch {
    return undefined
  }
}
