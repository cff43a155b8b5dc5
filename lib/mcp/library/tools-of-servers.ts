// Opens a hub for one subscriber, and emits the tools of its servers.
import { defer, distinctUntilChanged, filter, finalize, ignoreElements, map, merge, of, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import { checkServers } from '../config/check-servers.ts'
import { decodeServer } from '../config/decode-server.ts'
import { anySession } from '../contract/mcp-requests.ts'
import type { McpOffer, McpTool } from '../contract/mcp-offer.ts'
import type { McpServer } from '../contract/mcp-server.ts'
import { createMcpHub } from '../hub/create-hub.ts'
import type { McpToolsOptions } from '../contract/mcp-tools-options.ts'

/** As `mcpTools`. */
export function toolsOfServers(options: McpToolsOptions): Observable<readonly McpTool[]> {
  return defer(() => {
    const { cwd = process.cwd(), env = plainEnvironment(), onNotice = () => undefined } = options
    const { elicit = () => of({ action: 'decline' } as const) } = options
    const servers = decodeAll(options, cwd)
    const hub = createMcpHub({ graceMs: 0 })
    const ports = { cwd, env, elicit, onNotice, sessionId: anySession, roots: [cwd], redact: (text: string) => text }
    const { offer$, status$ } = hub.open(servers, ports)
    const failures$ = status$.pipe(
      tap(({ server, error }) => {
        if (error !== undefined) onNotice({ server, message: error })
      }),
      ignoreElements(),
    )
    return merge(failures$, offer$).pipe(
      filter(isComplete),
      map(({ tools }) => tools),
      distinctUntilChanged(
        (before, now) => before.length === now.length && before.every((tool, at) => tool === now[at]),
      ),
      finalize(() => hub.close()),
    )
  })
}

/** No server is at its first start any more. */
function isComplete({ statuses }: McpOffer): boolean {
  return statuses.every(({ state, restarts }) => state !== 'starting' || restarts > 0)
}

/** @throws Failure `bad_config` that names server and field */
function decodeAll({ servers }: McpToolsOptions, folder: string): readonly McpServer[] {
  const context = { origin: 'option', folder, variables: { values: environment() } } as const
  return Object.entries(checkServers(servers, 'bad_config')).flatMap(
    ([name, entry]) => decodeServer(name, entry, context) ?? [],
  )
}

const plainNames = ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER']

function plainEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(environment()).filter(([name]) => plainNames.includes(name)))
}

function environment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
