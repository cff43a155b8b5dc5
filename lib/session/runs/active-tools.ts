// The registry and the active set are separate: a request carries only what is active.
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
