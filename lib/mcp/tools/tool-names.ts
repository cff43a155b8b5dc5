// Names the tools of servers for models, and finds names that meet.
import { hash } from 'node:crypto'
import type { McpTool } from '../contract/mcp-offer.ts'

const maxLength = 64
const hashDigits = 8

/**
 * `mcp__SERVER__TOOL`: what models do not take in a name becomes `_`; a name of more than 64 characters is cut and ends with 8
 * hexadecimal digits of its hash.
 */
export function mcpToolName(server: string, tool: string): string {
  const name = `mcp__${server}__${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, '_')
  if (name.length <= maxLength) return name
  const digest = hash('sha256', JSON.stringify([server, tool]), 'hex').slice(0, hashDigits)
  return `${name.slice(0, maxLength - hashDigits - 1)}_${digest}`
}

/** True if a tool of this server may have the name. */
export function mayBeToolOf(server: string, name: string): boolean {
  return name.startsWith(`mcp__${server}__`.slice(0, maxLength - hashDigits - 1))
}

/** The tools whose name is theirs alone, in their order, and one notice for each that meets another. */
export function withoutSharedNames(tools: readonly McpTool[]): {
  readonly tools: readonly McpTool[]
  readonly notices: readonly { readonly server: string; readonly message: string }[]
} {
  const counts = new Map<string, number>()
  for (const { name } of tools) counts.set(name, (counts.get(name) ?? 0) + 1)
  const isShared = ({ name }: McpTool): boolean => (counts.get(name) ?? 0) > 1
  return {
    tools: tools.filter((tool) => !isShared(tool)),
    notices: tools.filter(isShared).map(({ name, mcp: { server, tool } }) => ({
      server,
      message: `The tool "${tool}" is left out: another tool would have the name ${name} too.`,
    })),
  }
}
