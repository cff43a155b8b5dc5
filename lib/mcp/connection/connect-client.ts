// Connects the SDK to one server: negotiates the revision, falls back to older ones, reports ends.
// Guarantees: unsubscribing closes the connection, and ends the server's processes if it is a program.
import { Client, SdkError, SdkErrorCode, SdkHttpError, SseError } from '@modelcontextprotocol/client'
import type { Transport, jsonSchemaValidator } from '@modelcontextprotocol/client'
import { catchError, Observable, tap, throwError } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { McpServer } from '../contract/mcp-server.ts'
import { remoteTransport } from '../transport/remote-transport.ts'
import type { McpAuth } from '../transport/remote-transport.ts'
import type { ServerLog } from '../transport/server-log.ts'
import { stdioTransport } from '../transport/stdio-transport.ts'
import { closeConnection } from './close-connection.ts'
import { pageLimit } from './read-lists.ts'
import { connectFailure, endFailure, requestFailure } from './server-failures.ts'

export interface ConnectOptions {
  readonly server: McpServer
  /** The folder of the session, absolute. */
  readonly cwd: string
  /** The filtered environment that commands of tools get. */
  readonly env: Readonly<Record<string, string>>
  readonly log: ServerLog
  readonly auth?: McpAuth | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Registers what answers the server's requests, before the connection begins. */
  readonly prepare: (client: Client) => void
  /** The findings of earlier starts; this one adds to them. Default: none. */
  readonly found?: FoundRevision
  /** The server's lists have changed; called some time after the last notification of a burst. */
  readonly onListChanged: (list: 'tools' | 'prompts' | 'resources') => void
}

/** How a program has to be asked for its revision. */
export interface FoundRevision {
  /** `legacy`: it ends at the newer revision's first request. `auto`: it ended at the older one's too. */
  mode?: 'auto' | 'legacy'
}

/** An open connection. */
export interface Connected {
  readonly client: Client
  /** Such as `2025-11-25`. */
  readonly protocol: string
  readonly pid?: number
  /** Words an error of a request. */
  readonly failureOf: (error: unknown) => Failure
  /** Ends the connection with this failure. */
  readonly end: (failure: Failure) => void
}

/** Milliseconds that an older program may be silent about the newer revision's first request. */
const probeMs = 3_000

/** Sources that run without a build have no version. */
const version = typeof RXPI_VERSION === 'undefined' ? 'development' : RXPI_VERSION

type Revision = 'auto' | 'legacy'

/**
 * Emits once when the server has answered, and stays open until the connection ends: it then fails with `mcp_error`. Fails
 * with `bad_config` for a program that is not there, and with `mcp_error` whose `data.status` is 401 if the server wants a
 * sign-in.
 */
export function connectClient(options: ConnectOptions): Observable<Connected> {
  const { mode = 'auto' } = options.found ?? {}
  return openOnce(options, mode).pipe(catchError((error: unknown) => connectOlder(options, error)))
}

/** A program that ended at a request it does not know, and a server that has SSE only, are connected as older ones. */
function connectOlder(options: ConnectOptions, error: unknown): Observable<Connected> {
  const { server, log } = options
  const { transport } = server
  const failing$ = (reason: unknown) => throwError(() => connectFailure(reason, server, log))
  const isProgram = transport.kind === 'stdio'
  if (isProgram && isProbeEnd(error) && options.found?.mode === undefined) return openProgramAgain(options, failing$)
  if (!isRefusal(error) || transport.kind !== 'http') return failing$(error)
  const older: McpServer = { ...server, transport: { ...transport, kind: 'sse' } }
  return openOnce({ ...options, server: older }, 'legacy').pipe(catchError(() => failing$(error)))
}

/** Once: a program that ended at both requests is not asked for the older revision at its next start. */
function openProgramAgain(
  options: ConnectOptions,
  failing$: (reason: unknown) => Observable<never>,
): Observable<Connected> {
  const { found = {}, log } = options
  log.note('it ended at the first request of MCP 2026-07-28, and is started again for an older revision')
  return openOnce(options, 'legacy').pipe(
    tap(() => (found.mode = 'legacy')),
    catchError((reason: unknown) => {
      found.mode ??= 'auto'
      return failing$(reason)
    }),
  )
}

/** Fails with the SDK's error before the server has answered, and with a Failure afterwards. */
function openOnce(options: ConnectOptions, mode: Revision): Observable<Connected> {
  const { server } = options
  return new Observable((subscriber) => {
    let isOpen = false
    let lostBy: string | undefined
    const client = createClient(options, mode)
    const onLost = (reason: string): void => {
      lostBy ??= reason
      if (isOpen) subscriber.error(endFailure(server, reason, options.log))
    }
    const transport = createTransport(options, onLost)
    options.prepare(client)
    client.onclose = () => onLost(endReasonOf(transport) ?? 'it closed the connection')
    client.onerror = (error) => {
      // later: the stream sets a timer to open itself again after this call, which only a close after that clears
      if (error instanceof SseError) queueMicrotask(() => onLost('it closed the stream'))
    }
    const abort = new AbortController()
    client.connect(transport, { signal: abort.signal, timeout: server.startTimeoutMs }).then(
      () => {
        isOpen = true
        subscriber.next({
          ...describeConnection(client, transport),
          failureOf: (error) => requestFailure(error, server, endReasonOf(transport) ?? lostBy),
          end: (failure) => {
            lostBy ??= failure.message
            subscriber.error(failure)
          },
        })
      },
      (error: unknown) => subscriber.error(withEndReason(error, endReasonOf(transport))),
    )
    return () => {
      abort.abort()
      closeConnection(client, transport)
    }
  })
}

function createClient({ server, onListChanged }: ConnectOptions, mode: Revision): Client {
  const changed = (list: Parameters<typeof onListChanged>[0]) => ({
    autoRefresh: false,
    onChanged: () => onListChanged(list),
  })
  return new Client(
    { name: 'rxpi', version },
    {
      capabilities: {
        elicitation: { form: {}, url: {} },
        roots: {},
        ...(server.sampling ? { sampling: {} } : {}),
      },
      versionNegotiation: { mode, probe: server.transport.kind === 'stdio' ? { timeoutMs: probeMs } : {} },
      listChanged: { tools: changed('tools'), prompts: changed('prompts'), resources: changed('resources') },
      jsonSchemaValidator: uncheckedOutput,
      listMaxPages: pageLimit,
    },
  )
}

/** The transport checks messages, and `tools/` the results: a server's own schema would only refuse them. */
const uncheckedOutput: jsonSchemaValidator = {
  getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
}

function createTransport(options: ConnectOptions, onLost: (reason: string) => void): Transport {
  const { server, cwd, env, log, auth, fetch } = options
  if (server.transport.kind === 'stdio') return stdioTransport({ server: server.transport, cwd, env, log })
  return remoteTransport({ server: server.transport, auth, onLost, ...(fetch === undefined ? {} : { fetch }) })
}

function describeConnection(client: Client, transport: Transport): Omit<Connected, 'failureOf' | 'end'> {
  const protocol = client.getNegotiatedProtocolVersion() ?? 'unknown'
  const pid = 'pid' in transport && typeof transport.pid === 'number' ? { pid: transport.pid } : {}
  return { client, protocol, ...pid }
}

function endReasonOf(transport: Transport): string | undefined {
  return 'endReason' in transport && typeof transport.endReason === 'string' ? transport.endReason : undefined
}

/** The SDK knows that a program ended, not how. */
function withEndReason(error: unknown, reason: string | undefined): unknown {
  if (reason === undefined || error instanceof Failure) return error
  return Object.assign(new Error(reason, { cause: error }), { endedDuringProbe: isProbeEnd(error) })
}

/** The program ended before it answered the newer revision's first request. */
function isProbeEnd(error: unknown): boolean {
  if (error instanceof Error && 'endedDuringProbe' in error) return error.endedDuringProbe === true
  return error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed
}

/** Answers by which servers refuse streamable HTTP, if they have SSE only. */
function isRefusal(error: unknown): boolean {
  return error instanceof SdkHttpError && [400, 404, 405].includes(error.status)
}
