// Chooses the active tools from the registry; a request carries only active tools.
import { Failure } from '../../streams/values/failure.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'

/** What is active where nobody chose. */
export const defaultActiveTools = ['read', 'write', 'edit', 'bash']

/**
 * The tools of these names, in the names' order, each once.
 * @throws Failure `bad_request` naming the tools there are
 */
export function activeTools(registry: readonly AnyTool[], names: readonly string[] = defaultActiveTools): AnyTool[] {
  return [...new Set(names)].map((name) => {
    const tool = registry.find((candidate) => candidate.name === name)
    if (tool !== undefined) return tool
    const known = registry.map((candidate) => candidate.name).join(', ')
    throw new Failure('bad_request', `There is no tool "${name}"; tools: ${known}`)
  })
}

// Which tools are active when a session is opened: what was asked for, else what its log says, else what the settings say.

interface ToolChoice {
  readonly registry: readonly AnyTool[]
  /** Names that somebody gave just now; one that is not registered is refused. */
  readonly requested: readonly string[] | undefined
  /** What the session had when it was left; one that is not registered any more is left out, and told. */
  readonly logged: readonly string[] | undefined
  /** What holds otherwise. Default: read, write, edit and bash. */
  readonly configured: readonly string[] | undefined
}

interface ChosenTools {
  readonly tools: readonly AnyTool[]
  /** Logged names that are not registered. */
  readonly missing: readonly string[]
}

/** @throws Failure `bad_request` for a name that is asked for or configured and not registered */
export function chooseTools({ registry, requested, logged, configured }: ToolChoice): ChosenTools {
  if (requested !== undefined || logged === undefined) {
    return { tools: activeTools(registry, requested ?? configured), missing: [] }
  }
  const known = new Set(registry.map(({ name }) => name))
  const tools = activeTools(
    registry,
    logged.filter((name) => known.has(name)),
  )
  return { tools, missing: logged.filter((name) => !known.has(name)) }
}
