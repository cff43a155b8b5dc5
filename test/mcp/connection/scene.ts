// Connects to the plain server of the fixtures for a test.
import path from 'node:path'
import { tmpdir } from 'node:os'
import { EMPTY, shareReplay } from 'rxjs'
import { openCalls } from '../../../lib/mcp/connection/open-calls.ts'
import { serverPeer } from '../../../lib/mcp/connection/server-peer.ts'
import { superviseServer } from '../../../lib/mcp/connection/supervise-server.ts'
import type { SuperviseOptions } from '../../../lib/mcp/connection/supervise-server.ts'
import type { McpServer } from '../../../lib/mcp/contract/mcp-server.ts'
import { serverLog } from '../../../lib/mcp/transport/server-log.ts'

const program = path.join(import.meta.dirname, '../fixtures/plain-server.ts')

/** The plain server in this mode. */
export function plainServer(mode = 'plain', more: Partial<McpServer> = {}): McpServer {
  return {
    name: 'plain',
    origin: 'user',
    transport: { kind: 'stdio', command: process.execPath, args: [program, mode], env: {} },
    perSession: false,
    startTimeoutMs: 10_000,
    callTimeoutMs: 10_000,
    sampling: false,
    ...more,
  }
}

/** A supervised server with its peer. Each subscription of `state$` while there is none starts it. */
export function supervised(server: McpServer, more: Partial<SuperviseOptions> = {}) {
  const log = serverLog()
  const calls = openCalls()
  const state$ = superviseServer({
    server,
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'] ?? '' },
    log,
    prepare: () => undefined,
    restart$: EMPTY,
    ...more,
  }).pipe(shareReplay({ bufferSize: 1, refCount: true }))
  return { log, calls, state$, peer: serverPeer({ server, state$, calls }) }
}

/** The same, connected until the end of the block. */
export function connected(server: McpServer, more: Partial<SuperviseOptions> = {}) {
  const scene = supervised(server, more)
  const subscription = scene.state$.subscribe()
  return { ...scene, [Symbol.dispose]: () => subscription.unsubscribe() }
}

export const caller = { sessionId: 's1', toolCallId: 'c1' }
