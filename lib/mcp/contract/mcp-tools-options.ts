// The options of `mcpTools`, by which a program gets tools of MCP servers.
import type { Observable } from 'rxjs'
import type { McpEntry } from '../../streams/config/mcp-servers.ts'
import type { ElicitAnswer, ElicitRequest } from './mcp-requests.ts'

export interface McpToolsOptions {
  /** By name, in the form of `mcpServers`. */
  readonly servers: Readonly<Record<string, McpEntry>>
  /** The folder in which programs start. Default: the process's own. */
  readonly cwd?: string
  /** The environment of programs, beside `env` of their entries. Default: `HOME`, `PATH` and others without secrets. */
  readonly env?: Readonly<Record<string, string>>
  /** Answers questions of a server; emits one answer. Default: every question is declined. */
  readonly elicit?: (request: ElicitRequest) => Observable<ElicitAnswer>
  /** Gets sentences about tools that were left out, and about servers that have ended. */
  readonly onNotice?: (notice: { readonly server: string; readonly message: string }) => void
}
