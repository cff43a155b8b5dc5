// The layer that keeps the tools which a session may use, and chooses the active ones.
import { capabilityOf } from '../../streams/ports/tool.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import { layerOf } from './tool-draft.ts'
import type { ToolLayer, ToolPolicy } from './tool-draft.ts'

/**
 * Layer 5: leaves out the tools whose scope or capability is not granted; the rest can become active. Of those it
 * passes on `inputs.policy.names`, in their order. A name without a tool is left out. Ends and fails with its source;
 * holds the last draft.
 */
export function filterTools(): ToolLayer {
  return layerOf(
    ({ policy: { names, scopes, capabilities } }) => [names, scopes, capabilities],
    ({ tools, inputs: { policy } }) => {
      const registered = tools.filter(isGrantedBy(policy))
      return { registered, tools: chosen(registered, policy.names) }
    },
  )
}

function isGrantedBy({ scopes, capabilities }: ToolPolicy): (tool: AnyTool) => boolean {
  const granted = capabilities && new Set(capabilities.map(capabilityOf))
  return ({ requiredScope, capability }) =>
    (requiredScope === undefined || scopes === undefined || scopes.includes(requiredScope)) &&
    (granted === undefined || granted.has(capabilityOf(capability)))
}

function chosen(registered: readonly AnyTool[], names: ToolPolicy['names']): readonly AnyTool[] {
  if (names === undefined) return registered
  const byName = new Map(registered.map((tool) => [tool.name, tool]))
  return [...new Set(names)].flatMap((name) => byName.get(name) ?? [])
}
