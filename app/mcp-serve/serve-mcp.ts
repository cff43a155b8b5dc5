// Runs `rxpi mcp serve`: rxpi as an MCP server on standard input and output, or over HTTP on loopback.
import type { Readable, Writable } from 'node:stream'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { NEVER, Observable, defer, finalize, fromEvent, map, merge, mergeMap, take, tap } from 'rxjs'
import { mcpGate } from '../../lib/server/proxy/mcp-gate.ts'
import { firstUnits } from '../../lib/streams/values/truncate.ts'
import { endAtSignal } from '../process/end-at-signal.ts'
import { report } from '../process/progress.ts'
import { version } from '../process/version.ts'
import type { World } from '../process/world.ts'
import type { McpServeInvocation } from '../cli/server-invocation.ts'
import { servedTools } from './call-tools.ts'
import type { ServedTools } from './call-tools.ts'
import { createMcpServer } from './create-mcp-server.ts'
import { httpFace } from './http-face.ts'
import { createRunHub } from './run-hub.ts'

interface Ends {
  readonly input: Readable
  readonly output: Writable
}

/** Bytes of one message from a client. */
const longestMessage = 4_194_304

/** Emits the exit code: after the end of the input, or a signal. Ends every run. */
export function serveMcp({ cwd, http }: McpServeInvocation, world: World, ends: Ends): Observable<number> {
  return defer(() => {
    const hub = createRunHub(world.client)
    const tools = servedTools({ client: world.client, hub, env: world.env, cwd })
    const served$ = http === undefined ? serveEnds(tools, ends, world) : serveHttp(tools, http, world)
    return served$.pipe(
      endAtSignal(world.signals$),
      finalize(() => {
        hub.close()
      }),
    )
  })
}

/** Standard output has messages of the protocol and nothing else. */
function serveEnds(tools: ServedTools, { input, output }: Ends, { stderr }: Pick<World, 'stderr'>): Observable<number> {
  return new Observable((subscriber) => {
    const handle = serveStdio(() => createMcpServer(tools, version), {
      transport: new StdioServerTransport(input, output, { maxBufferSize: longestMessage }),
      onerror: ({ message }) => {
        report(stderr, firstUnits(message, 500))
      },
    })
    const ended$ = merge(fromEvent(input, 'end'), fromEvent(input, 'close'), fromEvent(output, 'close'))
    const ending = ended$
      .pipe(
        take(1),
        map(() => 0),
      )
      .subscribe(subscriber)
    return () => {
      ending.unsubscribe()
      void handle.close()
    }
  })
}

function serveHttp(
  tools: ServedTools,
  address: NonNullable<McpServeInvocation['http']>,
  { env, stderr }: Pick<World, 'env' | 'stderr'>,
): Observable<number> {
  return defer(() => {
    const gate = mcpGate(env)
    const handler = createMcpHandler(() => createMcpServer(tools, version), { maxRequestBodySize: longestMessage })
    return httpFace({ ...address, gate, fetch: (request) => handler.fetch(request) }).pipe(
      tap(({ url }) => {
        report(stderr, `MCP at ${url}; the token is in ${gate.tokenFrom}`)
      }),
      mergeMap(() => NEVER),
      finalize(() => void handler.close()),
    )
  })
}
