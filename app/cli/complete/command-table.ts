// Lists every command with its actions, options and arguments, for completion.
import { acpOptions } from '../acp-arguments.ts'
import { authActions } from '../auth-arguments.ts'
import type { OptionName } from '../command-options.ts'
import { configActions, importPiOptions } from '../config-arguments.ts'
import { extensionsActions } from '../extensions-arguments.ts'
import type { HelpTopic } from '../invocation.ts'
import { mcpActions } from '../mcp-arguments.ts'
import { modelsOptions, modelsUpdateOptions } from '../models-arguments.ts'
import { runOptions } from '../option-scope.ts'
import { packagesOptions } from '../packages-arguments.ts'
import { plainCommandOptions } from '../plain-arguments.ts'
import { policyActions } from '../policy-arguments.ts'
import { mcpServeOptions, serverCommandOptions } from '../server-arguments.ts'
import { sessionsActions } from '../sessions-arguments.ts'

/** The kind of a word; the values of all but `file`, `folder` and fixed words come from a server. */
export type ValueKind =
  | 'model'
  | 'session'
  | 'setting'
  | 'provider'
  | 'mcp server'
  | 'extension'
  | 'package'
  | 'file'
  | 'folder'
  | readonly string[]

/** A command, or an action of one. */
export interface CommandSyntax {
  readonly topic: HelpTopic
  readonly options: readonly OptionName[]
  readonly actions?: Readonly<Record<string, CommandSyntax>>
  /** Of the words after the command, in order; a word has no or several kinds. */
  readonly words?: readonly (readonly ValueKind[])[]
}

/** The built-in tools; those of extensions and MCP servers are known only in a session. */
export const toolNames = [
  'read',
  'write',
  'edit',
  'bash',
  'hashline_edit',
  'grep',
  'find',
  'ls',
  'job_output',
  'job_input',
  'job_kill',
  'todo',
  'ask',
  'propose_plan',
] as const

type Words = NonNullable<CommandSyntax['words']>

/** One action for each row of `table`. */
function actionsOf<Name extends string>(
  topic: HelpTopic,
  table: Readonly<Record<Name, readonly OptionName[]>>,
  words: Readonly<Partial<Record<Name, Words>>>,
): Record<Name, CommandSyntax> {
  const syntaxOf = (name: Name): CommandSyntax => ({ topic, options: table[name], words: words[name] ?? [] })
  const names = Object.keys(table) as Name[] // the table has exactly these keys
  return Object.fromEntries(names.map((name) => [name, syntaxOf(name)])) as Record<Name, CommandSyntax>
}

const session: Words = [['session']]
const stored: Words = [['session', 'file']]
const provider: Words = [['provider']]
const setting: Words = [['setting']]
const mcpServer: Words = [['mcp server']]
const extension: Words = [['extension', 'file']]

const sessionsWords: Partial<Record<keyof typeof sessionsActions, Words>> = {
  list: [],
  search: [],
  tree: stored,
  show: stored,
  export: stored,
  replay: stored,
  verify: stored,
  repair: stored,
  import: [['file']],
}

function sessionsTable(): Record<string, CommandSyntax> {
  const rows = Object.entries(sessionsActions).map(([name, { options }]) => [name, ['json', ...options]] as const)
  const others = Object.fromEntries(rows.map(([name]) => [name, session]))
  return actionsOf('sessions', Object.fromEntries(rows), { ...others, ...sessionsWords })
}

function authTable(): Record<string, CommandSyntax> {
  const rows = Object.entries(authActions).map(([name, { options }]) => [name, ['json', ...options]] as const)
  const words = Object.fromEntries(rows.map(([name]) => [name, provider]))
  return actionsOf('auth', Object.fromEntries(rows), { ...words, login: [['provider'], [['browser', 'device']]] })
}

/** `rxpi` itself: the options of a run, and the commands as its actions. */
export function rootSyntax(): CommandSyntax {
  return { topic: 'rxpi', options: runOptions(), actions: commandTable() }
}

function commandTable(): Record<string, CommandSyntax> {
  return {
    sessions: { topic: 'sessions', options: [], actions: sessionsTable() },
    ...actionsOf('sessions', { compact: ['json'] }, { compact: session }),
    ...serverTable(),
    ...actionsOf('acp', { acp: acpOptions }, {}),
    ...plainTable(),
    auth: { topic: 'auth', options: [], actions: authTable() },
    config: {
      topic: 'config',
      options: [],
      actions: actionsOf('config', configActions, { get: setting, set: setting, unset: setting }),
    },
    models: {
      topic: 'models',
      options: modelsOptions,
      actions: actionsOf('models', { update: modelsUpdateOptions }, {}),
    },
    policy: {
      topic: 'policy',
      options: [],
      actions: actionsOf('policy', policyActions, { explain: [[toolNames]], import: [['file']], audit: stored }),
    },
    extensions: { topic: 'extensions', options: [], actions: extensionsTable() },
    ...actionsOf(
      'install',
      { install: packagesOptions, list: packagesOptions, update: packagesOptions, remove: packagesOptions },
      { install: [['file']], update: [['package']], remove: [['package']] },
    ),
    mcp: { topic: 'mcp', options: [], actions: mcpTable() },
    import: { topic: 'import', options: [], actions: actionsOf('import', { pi: importPiOptions }, {}) },
  }
}

function serverTable(): Record<string, CommandSyntax> {
  const { serve, stop, status, rpc, attach, abort } = serverCommandOptions
  return {
    ...actionsOf('serve', { serve }, {}),
    ...actionsOf('stop', { stop }, {}),
    ...actionsOf('status', { status }, {}),
    ...actionsOf('rpc', { rpc }, {}),
    ...actionsOf('attach', { attach }, { attach: session }),
    ...actionsOf('abort', { abort }, { abort: session }),
  }
}

function plainTable(): Record<string, CommandSyntax> {
  const { tool, context, doctor, protocol, completions } = plainCommandOptions
  return {
    ...actionsOf('tool', { tool }, { tool: [[toolNames]] }),
    ...actionsOf('context', { context }, { context: session }),
    ...actionsOf('doctor', { doctor }, {}),
    ...actionsOf('protocol', { protocol }, {}),
    ...actionsOf('completions', { completions }, { completions: [[['bash', 'zsh', 'fish']]] }),
  }
}

function extensionsTable(): Record<string, CommandSyntax> {
  const { list: _, ...named } = extensionsActions
  const words = Object.fromEntries(Object.keys(named).map((name) => [name, extension]))
  return actionsOf('extensions', extensionsActions, words)
}

function mcpTable(): Record<string, CommandSyntax> {
  const words = Object.fromEntries(Object.keys(mcpActions).map((name) => [name, mcpServer]))
  return {
    ...actionsOf('mcp', mcpActions, {
      ...words,
      list: [],
      add: [[], ['file']],
      import: [[['claude', 'codex', 'cursor', 'vscode']]],
    }),
    ...actionsOf('mcp-serve', { serve: mcpServeOptions }, {}),
  }
}
