// Loads what answers the commands about MCP servers with the first of them: most servers get none.
import { defer, from, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { McpBackend } from '../contract/server-backend.ts'
import type { McpBackendOptions } from './mcp-backend.ts'

export function lazyMcpBackend(options: McpBackendOptions): McpBackend {
  const loaded$ = <Value>(work: (backend: McpBackend) => Observable<Value>): Observable<Value> =>
    defer(() => from(import('./mcp-backend.ts'))).pipe(
      mergeMap(({ createMcpBackend }) => work(createMcpBackend(options))),
    )
  return {
    list: (command) => loaded$((backend) => backend.list(command)),
    show: (command) => loaded$((backend) => backend.show(command)),
    add: (command) => loaded$((backend) => backend.add(command)),
    remove: (command) => loaded$((backend) => backend.remove(command)),
    test: (command) => loaded$((backend) => backend.test(command)),
    login: (command) => loaded$((backend) => backend.login(command)),
    logout: (command) => loaded$((backend) => backend.logout(command)),
    logs: (command) => loaded$((backend) => backend.logs(command)),
    restart: (command) => loaded$((backend) => backend.restart(command)),
    check: (command) => loaded$((backend) => backend.check(command)),
    importServers: (command) => loaded$((backend) => backend.importServers(command)),
  }
}
