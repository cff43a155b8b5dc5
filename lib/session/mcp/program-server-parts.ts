// Declares what the MCP servers of a session that a program creates are opened with, and what opens.
import type { McpServers } from '../../streams/config/mcp-servers.ts'
import type { ContextNotes } from '../../streams/ports/context-notes.ts'
import type { PromptCommands } from '../../streams/ports/prompt-commands.ts'
import type { SessionServers } from '../contract/servers-port.ts'
import type { Session } from '../contract/session.ts'
import type { WiredServers } from './connect-servers.ts'

export interface ProgramServersOptions {
  readonly servers: McpServers
  readonly sessionId: string
  /** The session's folder, absolute. */
  readonly cwd: string
  /** The environment that commands of tools get. */
  readonly env: Readonly<Record<string, string>>
  /** Absolute folder for long results. Default: they are cut. */
  readonly spillFolder: string | undefined
  /** The tools that the program names. Default: it names none, and every tool of a server is active. */
  readonly chosenTools: readonly string[] | undefined
  /** Hides secrets in texts for people. */
  redact(text: string): string
}

export interface ServerParts {
  readonly notes: ContextNotes
  attach(session: Session, wired: WiredServers): void
  commandsWith(others: PromptCommands | undefined): PromptCommands
  readResources: SessionServers['readResources']
  findResources: SessionServers['findResources']
}
