// Loads the code about MCP servers with the first session that has some.
import { defer, from, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { projectServersPath } from '../../store/trust/gated-files.ts'
import type { ServerSources } from './configured-servers.ts'
import type { OpenServersOptions, ServersOfSession } from './open-servers.ts'

/** `use$` gets the servers of the session that it opens; if it fails, or is unsubscribed before that, they are released. */
export function withServers<Value>(
  options: OpenServersOptions,
  use$: (servers: ServersOfSession | undefined) => Observable<Value>,
): Observable<Value> {
  return defer(() => {
    if (!mayHaveServers(options)) return use$(undefined)
    return from(import('./open-servers.ts')).pipe(mergeMap((room) => room.withServers(options, use$)))
  })
}

/** True if the session's command or a file that counts names a server. */
function mayHaveServers({ passed, settings, trust }: Pick<ServerSources, 'passed' | 'settings' | 'trust'>): boolean {
  const isTrusted = trust.trusted && trust.contents?.has(projectServersPath) === true
  return isTrusted || [passed.servers, settings.mcpServers ?? {}].some((servers) => Object.keys(servers).length > 0)
}
