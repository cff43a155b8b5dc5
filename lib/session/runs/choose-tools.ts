// Which tools are active when a session is opened: what was asked for, else what its log says, else what the settings say.
import type { AnyTool } from '../../streams/ports/tool.ts'
import { activeTools } from './active-tools.ts'

export interface ToolChoice {
  readonly registry: readonly AnyTool[]
  /** Names that somebody gave just now; one that is not registered is refused. */
  readonly asked: readonly string[] | undefined
  /** What the session had when it was left; one that is not registered any more is left out, and told. */
  readonly logged: readonly string[] | undefined
  /** What holds otherwise. Default: read, write, edit and bash. */
  readonly configured: readonly string[] | undefined
}

export interface ChosenTools {
  readonly tools: readonly AnyTool[]
  /** Logged names that are not registered. */
  readonly missing: readonly string[]
}

/** @throws Failure `bad_request` for a name that is asked for or configured and not registered */
export function chooseTools({ registry, asked, logged, configured }: ToolChoice): ChosenTools {
  if (asked !== undefined || logged === undefined) {
    return { tools: activeTools(registry, asked ?? configured), missing: [] }
  }
  const known = new Set(registry.map(({ name }) => name))
  const tools = activeTools(
    registry,
    logged.filter((name) => known.has(name)),
  )
  return { tools, missing: logged.filter((name) => !known.has(name)) }
}
