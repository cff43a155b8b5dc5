// Lists the MCP servers that have a problem in the sessions of the running server.
import { catchError, defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { socketPath } from '../../lib/server/socket/socket-path.ts'
import { reachServer } from './reach-server.ts'
import { responseTimeoutMs } from './server-keys.ts'

/** Emits once and never fails: by the server's name, its state and its error. @param cwd absolute */
export function serverProblems({
  env,
  cwd,
}: {
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}): Observable<ReadonlyMap<string, string>> {
  return defer(() =>
    reachServer(socketPath({ env }), (client) =>
      client.request({ type: 'mcp_list', cwd, env: { ...env } }, { timeoutMs: responseTimeoutMs }),
    ),
  ).pipe(
    map(({ servers }) => {
      const troubled = servers.filter(({ error, problem }) => error !== undefined && problem === undefined)
      return new Map(troubled.map(({ name, state = '', error = '' }) => [name, `${state.replaceAll('_', ' ')}: ${error}`])) // prettier-ignore
    }),
    catchError(() => of(new Map<string, string>())),
  )
}
