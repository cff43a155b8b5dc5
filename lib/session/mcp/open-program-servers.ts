// Starts the MCP servers of a session that a program creates, with a hub of their own.
import { defer, filter, ignoreElements, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { decodeServer } from '../../mcp/config/decode-server.ts'
import type { McpSession } from '../../mcp/contract/mcp-hub.ts'
import type { McpOffer } from '../../mcp/contract/mcp-offer.ts'
import type { McpServer } from '../../mcp/contract/mcp-server.ts'
import { createMcpHub } from '../../mcp/hub/create-hub.ts'
import { Failure } from '../../streams/values/failure.ts'
import { connectServers, afterExchange } from './connect-servers.ts'
import { findResources } from './find-resources.ts'
import { latePorts } from './late-ports.ts'
import type { OpenedServers } from './opened-servers.ts'
import type { ProgramServersOptions, ServerParts } from './program-server-parts.ts'
import { serverNotes } from './server-notes.ts'
import { serverPrompts } from './server-prompts.ts'
import { readResources } from './server-resources.ts'

const noOffer: McpOffer = { tools: [], instructions: [], prompts: [], resources: [], statuses: [] }

export function openProgramServers(options: ProgramServersOptions): ServerParts {
  const { cwd, env, sessionId, redact, spillFolder, chosenTools } = options
  const { servers, problems } = decodeAll(options)
  const hub = createMcpHub({ graceMs: 0, ...(spillFolder === undefined ? {} : { spillFolder }) })
  const late = latePorts()
  const connection = hub.open(servers, { cwd, env, sessionId, redact, roots: [cwd], ...late.ports })
  for (const problem of problems) late.ports.onNotice(problem)
  const opened: OpenedServers = {
    ...{ connection, opened: noOffer, chosenTools, connect: late.connect },
    ready$: answered(connection),
  }
  return {
    notes: serverNotes(opened),
    attach: (session, wired) => {
      connectServers(opened, session, wired)
      wired.life.onEnd(() => hub.close())
    },
    commandsWith: (others) => serverPrompts(opened, others),
    readResources: (text) => readResources(text, opened),
    findResources: (wanted) => findResources(wanted, opened),
  }
}

/** Completes when each server has answered or failed; its own limit of time ends its start. */
function answered({ offer$ }: McpSession): Observable<never> {
  const isAnswered = ({ statuses }: McpOffer): boolean =>
    statuses.every(({ state, restarts }) => state !== 'starting' || restarts > 0)
  return defer(() => offer$.pipe(filter(isAnswered), take(1), afterExchange(), ignoreElements()))
}

/** A server that cannot be started is a warning of the session. */
function decodeAll({ servers: entries, cwd }: ProgramServersOptions) {
  const servers: McpServer[] = []
  const problems: { readonly server: string; readonly message: string }[] = []
  for (const [name, entry] of Object.entries(entries)) {
    try {
      const server = decodeServer(name, entry, { origin: 'option', folder: cwd })
      if (server !== undefined) servers.push(server)
    } catch (thrown) {
      problems.push({ server: name, message: Failure.from(thrown).message })
    }
  }
  return { servers, problems }
}
