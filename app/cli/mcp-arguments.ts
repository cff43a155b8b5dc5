// Parses the arguments of `rxpi mcp`: an action, and the MCP server that it is about.
import { didYouMean } from '../../lib/streams/values/nearest-name.ts'
import { mcpSources } from '../../lib/streams/commands/mcp-commands.ts'
import type { McpSource } from '../../lib/streams/commands/mcp-commands.ts'
import { badRequest, parseFolder } from './command-options.ts'
import type { OptionName, OptionValues } from './command-options.ts'
import { rejectOtherOptions } from './option-scope.ts'

interface OfMcp<Action extends string> {
  readonly mode: 'mcp'
  readonly action: Action
  readonly json: boolean
  /** Absolute. */
  readonly cwd: string
  readonly trust: boolean
}

/** The actions about one server of the configuration. */
export interface McpServerInvocation extends OfMcp<'show' | 'test' | 'login' | 'logout' | 'rm' | 'logs' | 'restart'> {
  readonly server: string
}

export interface McpAddInvocation extends OfMcp<'add'> {
  readonly server: string
  /** As `mcpServers` of the settings has it. */
  readonly entry: Readonly<Record<string, unknown>>
  readonly replace: boolean
}

export interface McpImportInvocation extends OfMcp<'import'> {
  readonly from: McpSource
  /** Names to add; none: all that can be added. */
  readonly names: readonly string[]
  /** False: only shows what would be added. */
  readonly write: boolean
}

export type McpInvocation = OfMcp<'list'> | McpServerInvocation | McpAddInvocation | McpImportInvocation

const common = ['json', 'cwd', 'trust'] as const
/** The options of each action. */
export const mcpActions: Readonly<Record<McpInvocation['action'], readonly OptionName[]>> = {
  list: common,
  show: common,
  test: common,
  login: common,
  logout: common,
  add: [...common, 'env', 'header', 'transport', 'force'],
  rm: ['json', 'cwd'],
  logs: ['json', 'cwd'],
  restart: ['json', 'cwd'],
  import: ['json', 'cwd', 'write'],
}

/**
 * @param words arguments after `mcp`
 * @throws Failure `bad_request`
 */
export function parseMcp(values: OptionValues, [word = 'list', ...words]: readonly string[]): McpInvocation {
  if (!isAction(word)) {
    const near = didYouMean(word, [...Object.keys(mcpActions), 'serve'], (name) => `rxpi mcp ${name}`)
    throw badRequest(`mcp has no action "${word}"${near || '; see rxpi mcp --help'}`)
  }
  rejectOtherOptions('mcp', values, mcpActions[word], word)
  const { json = false, trust = false } = values
  const shared = { mode: 'mcp', json, trust, cwd: parseFolder(values.cwd) } as const
  if (word === 'import') return { ...shared, action: word, ...parseImportOf(values, words) }
  const [server, ...more] = words
  if (word === 'list') {
    if (server !== undefined) throw badRequest(`mcp list takes options only; unexpected argument "${server}"`)
    return { ...shared, action: word }
  }
  if (server === undefined || server === '') throw badRequest(`mcp ${word} needs a name; rxpi mcp list prints them`)
  if (!/^[\w-]{1,64}$/.test(server))
    throw badRequest(`"${server}" is no name of a server: it has 1 to 64 letters, digits, _ and -`)
  if (word === 'add')
    return { ...shared, action: word, server, entry: parseEntry(values, more), replace: values.force === true }
  if (more[0] !== undefined) throw badRequest(`mcp ${word} takes one server; unexpected argument "${more[0]}"`)
  return { ...shared, action: word, server }
}

function isAction(word: string): word is McpInvocation['action'] {
  return Object.hasOwn(mcpActions, word)
}

function parseEntry(values: OptionValues, [target, ...args]: readonly string[]): McpAddInvocation['entry'] {
  if (target === undefined)
    throw badRequest(
      'mcp add needs a command or an address: rxpi mcp add files -- npx -y SERVER, or rxpi mcp add issues https://…',
    )
  const transport = values.transport
  if (transport !== undefined && !['stdio', 'http', 'sse'].includes(transport))
    throw badRequest(`--transport is stdio, http or sse, not "${transport}"`)
  const isRemote = transport === undefined ? /^https?:\/\//.test(target) : transport !== 'stdio'
  const env = parsePairs('env', values.env, '=')
  const headers = parsePairs('header', values.header, ':')
  if (isRemote) {
    if (env !== undefined) throw badRequest('--env is for a command; an address takes --header')
    if (args[0] !== undefined) throw badRequest(`an address takes no arguments; unexpected argument "${args[0]}"`)
    return { ...(transport === 'sse' ? { type: 'sse' } : { type: 'http' }), url: target, ...(headers && { headers }) }
  }
  if (headers !== undefined) throw badRequest('--header is for an address; a command takes --env')
  return { command: target, ...(args.length === 0 ? {} : { args }), ...(env && { env }) }
}

/** `NAME=VALUE` or `Name: value`. */
function parsePairs(
  option: string,
  texts: readonly string[] | undefined,
  separator: string,
): Readonly<Record<string, string>> | undefined {
  if (texts === undefined) return undefined
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(separator)
      if (at < 1) throw badRequest(`--${option} is NAME${separator}VALUE, not "${text.slice(0, 40)}"`)
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
    }),
  )
}

function parseImportOf(
  { write = false }: OptionValues,
  [source, ...names]: readonly string[],
): Pick<McpImportInvocation, 'from' | 'names' | 'write'> {
  const from = mcpSources.find((each) => each === source)
  if (from === undefined)
    throw badRequest(`mcp import takes ${mcpSources.join(', ')}${source === undefined ? '' : `, not "${source}"`}`)
  return { from, names, write }
}
