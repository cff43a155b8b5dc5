// Tests a server: starts it for itself, reads its lists, ends it, and reports what it found.
import { catchError, defer, map, of, switchMap, take, timeout, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { Failure } from '../../streams/values/failure.ts'
import { connectClient } from '../connection/connect-client.ts'
import type { Connected } from '../connection/connect-client.ts'
import { openCalls } from '../connection/open-calls.ts'
import { readLists } from '../connection/read-lists.ts'
import { startTimeoutFailure } from '../connection/server-failures.ts'
import { serverPeer } from '../connection/server-peer.ts'
import type { McpLists } from '../contract/mcp-peer.ts'
import type { McpClientPorts } from '../contract/mcp-requests.ts'
import type { McpServer, McpTestReport } from '../contract/mcp-server.ts'
import { describingLine } from '../content/foreign-text.ts'
import { answerRequests } from '../requests/answer-requests.ts'
import { convertListedTools } from '../tools/convert-tools.ts'
import type { McpAuth } from '../transport/remote-transport.ts'
import { scrubSecrets } from '../transport/scrub-secrets.ts'
import { serverLog } from '../transport/server-log.ts'
import type { ServerLog } from '../transport/server-log.ts'

export interface TestOptions {
  readonly server: McpServer
  readonly ports: McpClientPorts
  readonly auth?: McpAuth | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Gets the lists, so that the next session knows them at once; returns why it will not. */
  onLists(lists: McpLists): string | undefined
}

/** Emits one report and completes; never fails. Unsubscribing ends the server. */
export function testServer({ server, ports, onLists, ...options }: TestOptions): Observable<McpTestReport> {
  return defer(() => {
    const startedAt = performance.now()
    const log = serverLog()
    const { router } = openCalls()
    const durationMs = (): number => Math.round(performance.now() - startedAt)
    const connected$ = connectClient({
      server,
      cwd: ports.cwd,
      env: ports.env,
      log,
      ...options,
      prepare: (client) => answerRequests(client, { server, router, onLog: (line) => log.note(line) }),
      onListChanged: () => undefined,
    })
    return connected$.pipe(
      switchMap((connected) =>
        fromAbortable((signal) => readLists(connected.client, { timeout: server.startTimeoutMs, signal })).pipe(
          switchMap((lists) => {
            const problem = onLists(lists)
            return reportOf(server, connected, lists).pipe(
              map((report) => (problem === undefined ? report : { ...report, notices: [...report.notices, problem] })),
            )
          }),
        ),
      ),
      take(1),
      timeout({
        first: server.startTimeoutMs,
        with: () => throwError(() => startTimeoutFailure(server, log)),
      }),
      map((report) => ({ ...report, durationMs: durationMs() })),
      catchError((thrown: unknown) =>
        of({ ...failed(server.name, Failure.from(thrown, 'mcp_error'), durationMs()), ...endOfLog(log, server) }),
      ),
    )
  })
}

function reportOf(
  server: McpServer,
  { client, protocol }: Connected,
  lists: McpLists,
): Observable<Omit<McpTestReport, 'durationMs'>> {
  const { name = '', version = '' } = client.getServerVersion() ?? {}
  const title = describingLine(`${name} ${version}`.trim(), 256)
  const { tools } = server
  const source = {
    server: server.name,
    peer: serverPeer({ server, state$: of(), calls: openCalls() }),
    ...(tools === undefined ? {} : { tools }),
  }
  return convertListedTools(lists.tools, source).pipe(
    map((converted) => ({
      server: server.name,
      state: 'ready',
      protocol,
      ...(title === '' ? {} : { title }),
      tools: converted.tools.map(({ description, mcp }) => ({ name: mcp.tool, description })),
      resources: lists.resources.length,
      prompts: lists.prompts.length,
      notices: converted.notices,
    })),
  )
}

function failed(server: string, { message, data }: Failure, durationMs: number): McpTestReport {
  const state = data.status === 401 ? 'needs_login' : 'failed'
  return { server, state, error: message, tools: [], resources: 0, prompts: 0, durationMs, notices: [] }
}

/** Lines of the log in a report: a program that is started in a wrong way prints its usage. */
const reportedLines = 12

/** Nothing for one line: the error has the last one. */
function endOfLog(log: ServerLog, server: McpServer): Pick<McpTestReport, 'log'> {
  const lines = log.lines().slice(-reportedLines)
  return lines.length < 2 ? {} : { log: lines.map((line) => scrubSecrets(line, server)) }
}
