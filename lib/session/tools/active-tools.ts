// Chooses the active tools from the registry; a request carries only active tools.
import { Failure } from '../../streams/values/failure.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'

/** Active by default. */
export const defaultActiveTools = [
  'read',
  'write',
  'edit',
  'bash',
  'grep',
  'find',
  'todo',
  'ask',
  'job_output',
  'job_kill',
]

/**
 * The tools of these names, in the names' order, each once.
 * @throws Failure `bad_request` naming the tools there are
 */
export function activeTools(registry: readonly AnyTool[], names: readonly string[]): AnyTool[] {
  return [...new Set(names)].map((name) => {
    const tool = registry.find((candidate) => candidate.name === name)
    if (tool !== undefined) return tool
    const known = registry.map((candidate) => candidate.name).join(', ')
    throw new Failure('bad_request', `There is no tool "${name}"; tools: ${known}`)
  })
}

export interface ToolChoice {
  readonly registry: readonly AnyTool[]
  /** The names of the command; an unregistered one is refused. */
  readonly requested: readonly string[] | undefined
  /** The names of the log; an unregistered one is left out, and listed as missing. */
  readonly logged: readonly string[] | undefined
  /** Names that join the logged ones: of tools that may be new to the session. Default: none. */
  readonly joining?: readonly string[] | undefined
  /** Names that a client switched off: they do not join. Default: none. */
  readonly switchedOff?: readonly string[] | undefined
  /** The names of the settings. Default: those of `defaultActiveTools` that are registered. */
  readonly configured: readonly string[] | undefined
}

interface ChosenTools {
  readonly tools: readonly AnyTool[]
  /** Logged names that are not registered. */
  readonly missing: readonly string[]
}

/** @throws Failure `bad_request` for a requested or configured name that is not registered */
export function chooseTools({ registry, requested, logged, configured, ...more }: ToolChoice): ChosenTools {
  const { joining = [], switchedOff = [] } = more
  const known = new Set(registry.map(({ name }) => name))
  if (requested !== undefined || logged === undefined) {
    const usual = configured ?? defaultActiveTools.filter((name) => known.has(name))
    return { tools: activeTools(registry, requested ?? usual), missing: [] }
  }
  const tools = activeTools(
    registry,
    [...logged, ...joining.filter((name) => !switchedOff.includes(name))].filter((name) => known.has(name)),
  )
  return { tools, missing: logged.filter((name) => !known.has(name)) }
}
