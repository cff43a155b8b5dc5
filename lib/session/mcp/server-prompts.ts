// Offers the prompts of MCP servers as commands: `/server:prompt arguments`.
import { map, of } from 'rxjs'
import { promptContent } from '../../mcp/content/read-content.ts'
import type { McpOffer, McpPrompt, McpPromptMessages } from '../../mcp/contract/mcp-offer.ts'
import { parseSlash } from '../../streams/ports/prompt-commands.ts'
import type { PromptCommand, PromptCommands } from '../../streams/ports/prompt-commands.ts'
import { Failure } from '../../streams/values/failure.ts'
import { offerNow } from './opened-servers.ts'
import type { OpenedServers } from './opened-servers.ts'

/** @param others commands of files and extensions: they precede one of the same name */
export function serverPrompts(servers: OpenedServers, others: PromptCommands | undefined): PromptCommands {
  const { connection } = servers
  const now = (): McpOffer['prompts'] => offerNow(servers).prompts
  const run$ = others?.run
  return {
    list: () =>
      (others?.list() ?? of({ commands: [], problems: [] })).pipe(
        map(({ commands, problems }) => {
          const names = new Set(commands.map(({ name }) => name))
          return {
            commands: [
              ...commands,
              ...now()
                .map(listed)
                .filter(({ name }) => !names.has(name)),
            ],
            problems,
          }
        }),
      ),
    expand: (text) => {
      const slash = parseSlash(text)
      const found = slash && now().find((prompt) => nameOf(prompt) === slash.name)
      if (slash === undefined || found === undefined) return others?.expand(text) ?? of(undefined)
      const { server, name } = found
      const args = readArguments(found, slash.args)
      return connection.getPrompt(server, name, args).pipe(
        map((prompt) => ({
          text: promptText(prompt),
          invocation: { kind: 'mcp', name: slash.name, args: slash.args },
        })),
      )
    },
    ...(run$ === undefined ? {} : { run: run$ }),
  }
}

/** Other characters cannot stand after a slash. */
function nameOf({ server, name }: McpPrompt): string {
  return `${server}:${name.replaceAll(/[^\w.:-]/g, '_')}`
}

function listed(prompt: McpPrompt): PromptCommand {
  const syntax = prompt.arguments.map(({ name, required }) => (required ? `${name}=…` : `[${name}=…]`)).join(' ')
  return {
    name: nameOf(prompt),
    kind: 'mcp',
    description: prompt.description ?? `a prompt of the MCP server ${prompt.server}`,
    ...(syntax === '' ? {} : { argument: syntax }),
    source: 'mcp',
  }
}

/**
 * `name=value name="two words"`; text without a name belongs to the first argument that has none.
 * @throws Failure `bad_request` that names the arguments
 */
function readArguments(prompt: McpPrompt, text: string): Readonly<Record<string, string>> {
  const known = prompt.arguments.map(({ name }) => name)
  const found = new Map<string, string>()
  const rest = text
    .replaceAll(/(?<=^|\s)([\w.-]+)=("(?:[^"\\]|\\.)*"|\S*)/g, (written, name: string, value: string) => {
      if (!known.includes(name)) return written
      found.set(name, value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value)
      return ''
    })
    .trim()
  const free = known.find((name) => !found.has(name))
  if (rest !== '' && free !== undefined) found.set(free, rest)
  const missing = prompt.arguments.filter(({ name, required }) => required && !found.has(name))
  if ((rest !== '' && free === undefined) || missing.length > 0)
    throw argumentsFailure(prompt, rest, missing.length > 0)
  return Object.fromEntries(found)
}

function argumentsFailure(prompt: McpPrompt, rest: string, isMissing: boolean): Failure {
  const { argument = 'no arguments' } = listed(prompt)
  const fault = isMissing ? 'lacks arguments' : `cannot use ${JSON.stringify(rest.slice(0, 100))}`
  return new Failure('bad_request', `/${nameOf(prompt)} ${fault}; it takes ${argument}`)
}

/** A prompt becomes one text of the user; what is no text is named. */
function promptText(prompt: McpPromptMessages): string {
  return promptContent(prompt)
    .map((part) => (part.type === 'text' ? part.text : '[An image of the prompt is left out.]'))
    .join('\n')
}
