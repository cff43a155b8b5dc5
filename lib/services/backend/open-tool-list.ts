// Builds the tools of a session: of the program, of extensions, built-in ones, of MCP servers.
import { toolSchemas } from '../../providers/index.ts'
import { withExtensionTools } from '../../session/extensions/extension-tools.ts'
import { activateChosen, createToolList } from '../../session/tools/tool-list.ts'
import type { Configuration } from '../../store/index.ts'
import type { SessionSandbox } from '../../streams/ports/sandbox.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { ProgramSessionOptions } from '../contract/program-sessions.ts'
import type { OpenedExtensions } from '../extensions/open-extensions.ts'
import type { ServersOfSession } from '../mcp/open-servers.ts'
import { ownTools } from './own-tools.ts'

interface ToolSources {
  /** The tools that the command of the session names. */
  readonly setup: { readonly tools?: readonly string[] | undefined }
  readonly own: ProgramSessionOptions
  readonly extensions: OpenedExtensions | undefined
  readonly servers: ServersOfSession | undefined
  readonly initial: SessionState | undefined
  readonly home: string | undefined
  readonly settings: Configuration['settings']
  readonly sandbox: SessionSandbox
}

/** Tools of servers come last: they replace no other tool. `missing`: logged names that are not there. */
export function openToolList({ setup, own, settings, initial, home, sandbox, extensions, servers }: ToolSources) {
  const { further, base, runtime } = withExtensionTools(ownTools(own, home, settings), extensions?.set)
  const ofServers = servers?.tools ?? []
  const inputs = { base: [...base, ...ofServers], runtime, channel: [], sandbox, schemas: toolSchemas }
  const joining = [...further, ...ofServers.map(({ name }) => name)]
  const toolList = createToolList({ ...inputs, policy: own.allowedTools ?? {} }, own.toolLayers)
  const registered = new Set(toolList.built.registered.map(({ name }) => name))
  const mayCome = (name: string): boolean => servers?.mayBring(name) === true
  const known = (names: readonly string[] | undefined): readonly string[] | undefined =>
    names?.filter((name) => registered.has(name) || !mayCome(name))
  const { missing } = activateChosen(toolList, {
    requested: known(setup.tools),
    logged: initial?.activeTools,
    switchedOff: initial?.switchedOff,
    joining,
    configured: known(settings.tools),
    further: [...(own.customTools ?? []).map(({ name }) => name), ...joining],
  })
  return { toolList, missing: missing.filter((name) => !mayCome(name)) }
}
