// Words the failures of a server: of its start, its end, its lists and its requests.
// Guarantees: no message has a value of a header or of the environment; a want of a sign-in has `data.status` 401.
import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client'
import { describeThrown, Failure } from '../../streams/values/failure.ts'
import { describingLine } from '../content/foreign-text.ts'
import type { McpServer } from '../contract/mcp-server.ts'
import { scrubSecrets } from '../transport/scrub-secrets.ts'
import type { ServerLog } from '../transport/server-log.ts'

export function connectFailure(error: unknown, server: McpServer, log: ServerLog): Failure {
  if (error instanceof Failure) return error
  if (isUnauthorized(error)) return signInFailure(server)
  const reason = scrubSecrets(describeThrown(error), server)
  return mcpFailure(`The MCP server ${server.name} could not be connected: ${reason}${logHint(server, log)}`)
}

export function startTimeoutFailure(server: McpServer, log: ServerLog): Failure {
  const { name, startTimeoutMs } = server
  return mcpFailure(`The MCP server ${name} did not answer within ${startTimeoutMs / 1_000} s${logHint(server, log)}`)
}

export function endFailure(server: McpServer, reason: string, log: ServerLog): Failure {
  return mcpFailure(`The MCP server ${server.name} ended: ${scrubSecrets(reason, server)}${logHint(server, log)}`)
}

export function listsFailure(error: unknown, server: McpServer): Failure {
  if (isUnauthorized(error)) return signInFailure(server)
  const reason = scrubSecrets(describeThrown(error), server)
  return mcpFailure(`The lists of the MCP server ${server.name} could not be read: ${reason}`)
}

/** @param endReason why the connection ended; undefined if it is open */
export function requestFailure(error: unknown, server: McpServer, endReason: string | undefined): Failure {
  if (error instanceof Failure) return error
  const { name } = server
  if (isUnauthorized(error)) return signInFailure(server)
  if (error instanceof InsufficientScopeError) return rightsFailure(server, error.requiredScope)
  if (endReason !== undefined) {
    return mcpFailure(`The MCP server ${name} ended during the request: ${scrubSecrets(endReason, server)}`)
  }
  const reason = scrubSecrets(describeThrown(error), server)
  if (error instanceof ProtocolError) return mcpFailure(`The MCP server ${name} refused: ${reason}`)
  const isLate = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout
  return isLate
    ? new Failure('timeout', `The MCP server ${name} did not answer in time.`)
    : mcpFailure(`The request to the MCP server ${name} failed: ${reason}`)
}

function mcpFailure(message: string): Failure {
  return new Failure('mcp_error', message)
}

function signInFailure({ name }: McpServer): Failure {
  return new Failure('mcp_error', `The MCP server ${name} wants a sign-in: rxpi mcp login ${name}`, {
    data: { status: 401 },
  })
}

/** The next sign-in asks for the scope, too. */
function rightsFailure({ name }: McpServer, scope: string | undefined): Failure {
  const rights = scope === undefined ? 'more rights' : `the rights ${describingLine(scope, 512)}`
  return mcpFailure(`The MCP server ${name} wants ${rights}: sign in again: rxpi mcp login ${name}`)
}

/** True for every form in which the SDK reports that a server wants a sign-in. */
function isUnauthorized(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status === 401
  return error instanceof Error && (error.name === 'UnauthorizedError' || ('code' in error && error.code === 401))
}

/** A program's last line is often the reason. */
function logHint(server: McpServer, log: ServerLog): string {
  const last = server.transport.kind === 'stdio' ? log.lastLine() : undefined
  return last === undefined ? '' : `; the last line of its log: ${scrubSecrets(last, server)}`
}
