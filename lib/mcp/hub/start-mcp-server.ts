// Starts a server with the SDK, which is loaded with this file: a session opens without it.
import type { Observable } from 'rxjs'
import { superviseServer } from '../connection/supervise-server.ts'
import type { ServerState, SuperviseOptions } from '../connection/supervise-server.ts'
import type { McpRequestRouter } from '../contract/mcp-requests.ts'
import { answerRequests } from '../requests/answer-requests.ts'

export interface StartOptions extends Omit<SuperviseOptions, 'prepare'> {
  readonly router: McpRequestRouter
}

/** As `superviseServer`, with answers to what the server asks. */
export function startServer({ router, ...options }: StartOptions): Observable<ServerState> {
  const { server, log } = options
  return superviseServer({
    ...options,
    prepare: (client) => answerRequests(client, { server, router, onLog: (line) => log.note(line) }),
  })
}
