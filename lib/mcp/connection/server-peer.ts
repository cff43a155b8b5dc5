// Sends requests to a server as Observables: waits for it, reports progress, limits the time.
import {
  catchError,
  combineLatest,
  defer,
  EMPTY,
  finalize,
  merge,
  mergeMap,
  NEVER,
  of,
  startWith,
  Subject,
  switchMap,
  take,
  takeWhile,
  throwError,
  timeout,
  timer,
} from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import type { Client, Progress, RequestOptions } from '@modelcontextprotocol/client'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { McpCallEvent, McpCaller, McpJson, McpPeer } from '../contract/mcp-peer.ts'
import type { McpServer } from '../contract/mcp-server.ts'
import type { Connected } from './connect-client.ts'
import { requestFailure } from './server-failures.ts'
import type { OpenCalls } from './open-calls.ts'
import type { ServerState } from './supervise-server.ts'

export interface PeerOptions {
  readonly server: McpServer
  /** Starts with the present state. */
  readonly state$: Observable<ServerState>
  readonly calls: OpenCalls
}

/** Milliseconds after which a call ends whatever it reports. */
const longestCallMs = 60 * 60_000
/** The SDK's own limit: the longest that a timer has. */
const noLimit = 2 ** 31 - 1

/** Requests wait for a server that starts or pauses; they fail at once if it was given up. */
export function serverPeer(options: PeerOptions): McpPeer {
  const { server, state$ } = options
  const request$ = <Value>(send: (client: Client, limits: RequestOptions) => Promise<Value>): Observable<Value> =>
    whenReady(server, state$).pipe(
      mergeMap((connected) =>
        fromAbortable((signal) => send(connected.client, { signal, timeout: server.callTimeoutMs })).pipe(
          failingAs(server, connected),
        ),
      ),
    )
  return {
    callTool: (name, args, caller) =>
      whenReady(server, state$).pipe(mergeMap((connected) => callTool(options, connected, { name, args, caller }))),
    getPrompt: (name, args) => request$((client, limits) => client.getPrompt({ name, arguments: { ...args } }, limits)),
    readResource: (uri) =>
      request$((client, limits) => client.readResource({ uri }, { ...limits, cacheMode: 'refresh' })),
    complete: (ref, { name, value, known = {} }) =>
      request$(async (client, limits) => {
        const context = Object.keys(known).length === 0 ? {} : { context: { arguments: { ...known } } }
        const params = { ref: ref as CompletionRef, argument: { name, value }, ...context }
        return (await client.complete(params, limits)).completion.values
      }),
  }
}

type CompletionRef = Parameters<Client['complete']>[0]['ref']

/** Emits the connection once. */
function whenReady(server: McpServer, state$: Observable<ServerState>): Observable<Connected> {
  return state$.pipe(
    mergeMap(({ status: { state, error }, connected }) => {
      if (connected !== undefined) return of(connected)
      if (state === 'starting' || state === 'waiting') return EMPTY
      return throwError(() => new Failure('mcp_error', error ?? `The MCP server ${server.name} is ${state}.`))
    }),
    take(1),
    timeout({ first: server.startTimeoutMs, with: () => throwError(() => notReady(server)) }),
  )
}

function notReady({ name, startTimeoutMs }: McpServer): Failure {
  return new Failure('mcp_error', `The MCP server ${name} was not ready within ${startTimeoutMs / 1_000} s.`)
}

interface ToolRequest {
  readonly name: string
  readonly args: McpJson
  readonly caller: McpCaller
}

/** Progress in order, then the result. */
function callTool(
  { server, calls }: PeerOptions,
  connected: Connected,
  { name, args, caller }: ToolRequest,
): Observable<McpCallEvent> {
  return defer(() => {
    const end = calls.begin(caller)
    const progress$ = new Subject<McpCallEvent>()
    const result$ = fromAbortable(async (signal): Promise<McpCallEvent> => {
      const onprogress: RequestOptions['onprogress'] = (event) => progress$.next(progressEvent(event))
      const limits = { signal, timeout: noLimit, maxTotalTimeout: longestCallMs, onprogress }
      const result = await connected.client.callTool({ name, arguments: { ...args } }, limits)
      return { type: 'result', result: result as { content: readonly McpJson[] } } // the SDK has checked the shape
    })
    return merge(progress$, silenceOf(server, calls, progress$), result$).pipe(
      takeWhile(({ type }) => type !== 'result', true),
      failingAs(server, connected),
      finalize(end),
    )
  })
}

function progressEvent({ progress, total, message }: Progress): McpCallEvent {
  return {
    type: 'progress',
    progress,
    ...(total === undefined ? {} : { total }),
    ...(message === undefined ? {} : { message }),
  }
}

/** Fails when the server was silent too long; the time of a person's answer does not count. */
function silenceOf(
  { name, callTimeoutMs }: McpServer,
  { paused$ }: OpenCalls,
  activity$: Observable<unknown>,
): Observable<never> {
  const silent = (): Failure =>
    new Failure('timeout', `The MCP server ${name} was silent for ${callTimeoutMs / 1_000} s.`)
  return combineLatest([paused$, activity$.pipe(startWith(undefined))]).pipe(
    switchMap(([isPaused]) => (isPaused ? NEVER : timer(callTimeoutMs))),
    mergeMap(() => throwError(() => silent())),
  )
}

function failingAs<Value>(server: McpServer, connected: Connected): MonoTypeOperatorFunction<Value> {
  return catchError((error: unknown) => {
    const failure = requestFailure(error, server, connected.endReason())
    if (failure.data.status === 401) connected.end(failure) // the other requests would be refused as well
    return throwError(() => failure)
  })
}
