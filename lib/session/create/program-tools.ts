// Builds the tools of a session that a program creates, with those of its extensions.
import { concat } from 'rxjs'
import { extensionSet } from '../../extensions/lifecycle/extension-set.ts'
import type { ExtensionDefinition, ExtensionSet, ExtensionSetOptions } from '../../extensions/index.ts'
import { rxpiPaths } from '../../host/files/paths.ts'
import { mayBeToolOf } from '../../mcp/tools/tool-names.ts'
import { toolSchemas } from '../../providers/index.ts'
import type { ModelsFile, Settings } from '../../streams/config/settings.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { toolsByLayer } from '../../tools/index.ts'
import type { SessionOptions } from '../contract/session-parts.ts'
import type { ToolList } from '../contract/tool-list-port.ts'
import { withExtensionTools } from '../extensions/extension-tools.ts'
import type { LayeredTools } from '../extensions/extension-tools.ts'
import { activateChosen, createToolList } from '../tools/tool-list.ts'
import type { CreateSessionOptions } from './create-session-options.ts'
import { definedEnvironment } from './read-configuration.ts'
import { refuseProvider } from './refuse-provider.ts'

/** With the defaults of folder and environment. */
export type CompleteOptions = CreateSessionOptions & Required<Pick<CreateSessionOptions, 'cwd' | 'env'>>

/** Tools that the program names are in each request, which carries the active ones; else the first request freezes its list. */
export function toolOptions({ tools }: CreateSessionOptions): Pick<SessionOptions, 'freezeTools' | 'listedTools'> {
  if (tools === undefined) return { freezeTools: true }
  return { freezeTools: false, listedTools: namesOf(tools) }
}

export function namesOf(tools: readonly (AnyTool | string)[]): readonly string[] {
  return tools.map((tool) => (typeof tool === 'string' ? tool : tool.name))
}

interface ToolSurroundings {
  readonly sessionId: string
  readonly env: Readonly<Record<string, string>>
  readonly settings: Settings
  readonly initial: SessionState
  readonly models: ModelsFile
}

/** Sets the extensions up, and builds the tools with theirs. */
export function openTools(options: CompleteOptions, { sessionId, env, settings, initial, models }: ToolSurroundings) {
  const own = programTools(options)
  const ownTools = [...own.base, ...own.runtime]
  const host = { id: sessionId, cwd: options.cwd, env, ownTools, refuseProvider: refuseProvider(models) }
  const extensions = programExtensions(options.extensions, { host, settings: settings.extensions })
  const toolList = selectTools(options, withExtensionTools(own, extensions), initial, settings.tools)
  return { extensions, toolList }
}

/**
 * Sets the extensions up in the call itself; what `setup` does after an `await` comes to the open session. Undefined
 * without extensions.
 */
function programExtensions(
  definitions: readonly ExtensionDefinition[] = [],
  options: ExtensionSetOptions,
): ExtensionSet | undefined {
  if (definitions.length === 0) return undefined
  const set = extensionSet(options)
  concat(...definitions.map((definition) => set.load(definition))).subscribe()
  return set
}

/** Builds the tools: those of the options, then the built-in tools of other names. @throws Failure `bad_request`, `bad_config` */
function selectTools(
  { tools: requestedTools, customTools = [], mcpServers = {}, allowedTools, toolLayers, sandbox }: CreateSessionOptions,
  { further, ...layers }: LayeredTools & { readonly further: readonly string[] },
  { activeTools: logged, switchedOff }: SessionState,
  configured: readonly string[] | undefined,
): ToolList {
  const mayCome = (name: string): boolean => Object.keys(mcpServers).some((server) => mayBeToolOf(server, name))
  const inputs = { ...layers, channel: [], sandbox }
  return activateChosen(createToolList({ ...inputs, policy: allowedTools ?? {}, schemas: toolSchemas }, toolLayers), {
    requested: requestedTools && namesOf(requestedTools).filter((name) => !mayCome(name)),
    logged,
    switchedOff,
    joining: further,
    configured,
    further: [...customTools.map(({ name }) => name), ...further],
  }).toolList
}

/** The tools of the program, and the built-in ones of other names after them. */
function programTools(options: CreateSessionOptions): LayeredTools {
  const { tools: requestedTools = [], customTools = [] } = options
  const home = homeOf(options)
  const { base, runtime } = toolsByLayer(home === undefined ? {} : { home })
  return { base: [...requestedTools.filter((tool) => typeof tool === 'object'), ...customTools, ...base], runtime }
}

/** Without a store nothing is written, not even a command's full output. */
export function homeOf({
  store,
  env = definedEnvironment(),
}: Pick<CreateSessionOptions, 'store' | 'env'>): string | undefined {
  return store === undefined ? undefined : rxpiPaths(env).home
}
