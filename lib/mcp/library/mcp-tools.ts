// Offers the tools of MCP servers to a program that uses rxpi as a library.
// Guarantees: everything of MCP is loaded with the first subscription, not before.
import { defer, from, switchMap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { McpTool } from '../contract/mcp-offer.ts'
import type { McpToolsOptions } from '../contract/mcp-tools-options.ts'

/**
 * The tools of the servers, named `mcp__SERVER__TOOL`. Each subscription starts the servers. Emits when each server has answered or
 * failed, then with each change of the tools. Fails with `bad_config` for an entry that is not valid. Never completes;
 * unsubscribing ends the servers. Buffers nothing.
 */
export function mcpTools(options: McpToolsOptions): Observable<readonly McpTool[]> {
  return defer(() => from(import('./tools-of-servers.ts'))).pipe(
    switchMap(({ toolsOfServers }) => toolsOfServers(options)),
  )
}
