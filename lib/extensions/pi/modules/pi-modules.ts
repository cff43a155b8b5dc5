// Names the modules that extensions written for pi import.
import { EventEmitter } from 'node:events'
import { Type } from '@sinclair/typebox'
import * as ai from './ai-names.ts'
import { aiRequests } from './ai-requests.ts'
import { buildContextEntries, buildSessionContext, folderNames, getLanguageFromPath } from './agent-names.ts'
import { bashToolFor, createEditTool, createReadTool, createWriteTool, withFileMutationQueue } from './builtin-tools.ts'
import { convertToLlm, serializeConversation } from './conversation-text.ts'
import { localBash } from './file-operations.ts'
import { parseFrontmatter, stripFrontmatter } from './pi-frontmatter.ts'
import { withMissingNames } from './missing-names.ts'
import { loadPiTui, tuiPackage } from './pi-tui.ts'
import type { PiTui } from './pi-tui.ts'
import { plainTheme } from './plain-theme.ts'
import * as screen from './screen-parts.ts'
import { codingToolsFor, createFindTool, createGrepTool, createLsTool, createReadOnlyTools } from './search-tools.ts'
import * as truncation from './truncate-output.ts'
import type { PiRecord } from '../contract/pi-shapes.ts'
import type { SessionLink } from '../contract/session-link.ts'

export interface ModuleSession {
  readonly variables: NodeJS.ProcessEnv
  readonly link: SessionLink
}

/** The version of pi whose extensions are understood. */
export const piVersion = '0.87.1'

/**
 * The modules by name. Without the optional package pi-tui, its names fail when they are used.
 * @param session `variables`: the environment of shell commands, that of the session without secrets
 * @param loadTui default: the installed package
 */
export async function piModules(
  { variables, link }: ModuleSession,
  loadTui?: () => Promise<PiTui>,
): Promise<Record<string, unknown>> {
  const tui = await loadPiTui(loadTui)
  const noTui = tui === undefined ? `the optional package ${tuiPackage} is not installed` : undefined
  const modules: Record<string, unknown> = {
    'pi-coding-agent': withMissingNames('pi-coding-agent', codingAgent(tui, variables)),
    'pi-tui': withMissingNames('pi-tui', { ...tui }, noTui),
    'pi-agent-core': withMissingNames('pi-agent-core', {}),
  }
  const requests = aiRequests(link)
  for (const name of ['pi-ai', 'pi-ai/compat', 'pi-ai/oauth', 'pi-ai/providers/all'])
    modules[name] = withMissingNames(name, { ...ai, ...requests, Type })
  const scopes = ['@earendil-works', '@mariozechner']
  return Object.fromEntries(
    scopes.flatMap((scope) => Object.entries(modules).map(([name, module]) => [`${scope}/${name}`, module])),
  )
}

function codingAgent(tui: PiTui | undefined, variables: NodeJS.ProcessEnv): Record<string, unknown> {
  const { getMarkdownTheme, getSelectListTheme, getSettingsListTheme, getEditorTheme, DynamicBorder } = screen
  const createBashTool = bashToolFor(variables)
  const createCodingTools = codingToolsFor(variables)
  const files = { createReadTool, createWriteTool, createEditTool, createGrepTool, createFindTool, createLsTool }
  const tools = { ...files, createBashTool, createCodingTools, createReadOnlyTools }
  const definitions = Object.entries(tools).map(([name, create]) => [`${name}Definition`, create] as const)
  return {
    VERSION: piVersion,
    ...folderNames,
    ...{ getLanguageFromPath, buildContextEntries, buildSessionContext },
    defineTool: (tool: unknown) => tool,
    ...tools,
    ...Object.fromEntries(definitions),
    createLocalBashOperations: localBash(variables),
    withFileMutationQueue,
    ...truncation,
    ...{ convertToLlm, serializeConversation, parseFrontmatter, stripFrontmatter },
    ...guards(),
    createEventBus,
    estimateTokens: (message: unknown) => Math.ceil(JSON.stringify(message).length / 4),
    createSyntheticSourceInfo: (file: string, options: PiRecord = {}) => ({
      path: file,
      scope: 'temporary',
      origin: 'top-level',
      ...options,
    }),
    ...{ getMarkdownTheme, getSelectListTheme, getSettingsListTheme, getEditorTheme, DynamicBorder },
    ...{ initTheme: () => undefined, theme: plainTheme, highlightCode: (code: string) => code.split('\n') },
    ...{
      keyHint: (key: string, text: string) => `${key} ${text}`,
      keyText: (key: string) => key,
      rawKeyHint: (key: string, text: string) => `${key} ${text}`,
    },
    ...(tui === undefined ? {} : screen.tuiComponents(tui)),
  }
}

/** `isToolCallEventType` and the guards of results. */
function guards(): Record<string, unknown> {
  const result = (name: string) => (event: PiRecord) => event['toolName'] === name
  const names = ['bash', 'read', 'edit', 'write', 'grep', 'find', 'ls']
  const results = names.map(
    (name) => [`is${name.charAt(0).toUpperCase()}${name.slice(1)}ToolResult`, result(name)] as const,
  )
  return {
    isToolCallEventType: (name: string, event: PiRecord) => event['toolName'] === name,
    ...Object.fromEntries(results),
  }
}

function createEventBus(): PiRecord {
  const emitter = new EventEmitter()
  return {
    emit: (channel: string, data: unknown) => emitter.emit(channel, data),
    on: (channel: string, handler: (data: unknown) => void) => {
      emitter.on(channel, handler)
      return () => emitter.off(channel, handler)
    },
    clear: () => emitter.removeAllListeners(),
  }
}
