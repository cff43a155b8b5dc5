// The port of search_tools: a tool that finds tools which requests leave out.
import type { AnyTool } from '../ports/tool.ts'

export interface SearchableTools {
  /** The tools that can be found; the same array while they stay the same. */
  tools(): readonly AnyTool[]
  /** Names of MCP servers whose tools cannot be found yet, because they have not answered. Default: none. */
  starting?(): readonly string[]
  /** Called with what a search found: a message describes these tools before the next request. */
  onFound(tools: readonly AnyTool[]): void
}

/** Makes the tool of one session. Its definition is constant, so that each list of tools has the same bytes. */
export type CreateToolSearch = (searchable: SearchableTools) => AnyTool
