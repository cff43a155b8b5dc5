// Sends requests to a server as Observables: waits for it, reports progress, limits the time.
import {
  asyncScheduler,
  catchError,
  defer,
  EMPTY,
  mergeMap,
  Observable,
  of,
  Subscription,
  take,
  throwError,
  timeout,
} from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { Client, Progress, RequestOptions } from '@modelcontextprotocol/client'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { McpCallEvent, McpCaller, McpJson, McpPeer } from '../contract/mcp-peer.ts'
import type { McpServer } from '../contract/mcp-server.ts'
import type { Connected } from './connect-client.ts'
import type { OpenCalls } from './open-calls.ts'
import type { ServerState } from './supervise-server.ts'

export interface PeerOptions {
  readonly server: McpServer
  /** Starts with the present state. */
  readonly state$: Observable<ServerState>
  /** The present state, while somebody has subscribed to `state$`. Default: it is read from `state$`. */
  readonly present?: () => ServerState
  readonly calls: OpenCalls
}

/** Milliseconds after which a call ends whatever it reports. */
const longestCallMs = 60 * 60_000
/** The SDK's own limit: the longest that a timer has. */
const noLimit = 2 ** 31 - 1

/** Requests wait for a server that starts or pauses; they fail at once if it was given up. */
export function serverPeer(options: PeerOptions): McpPeer {
  const { server } = options
  const request$ = <Value>(send: (client: Client, limits: RequestOptions) => Promise<Value>): Observable<Value> =>
    whenReady(options).pipe(
      mergeMap((connected) =>
        fromAbortable((signal) => send(connected.client, { signal, timeout: server.callTimeoutMs })).pipe(
          failingAs(connected),
        ),
      ),
    )
  return {
    callTool: (name, args, caller) =>
      whenReady(options).pipe(mergeMap((connected) => callTool(options, connected, { name, args, caller }))),
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

/** Emits the connection once; at once if it is open. */
function whenReady({ server, state$, present }: PeerOptions): Observable<Connected> {
  return defer(() => {
    const open = present?.().connected
    return open === undefined ? waitUntilReady(server, state$) : of(open)
  })
}

function waitUntilReady(server: McpServer, state$: Observable<ServerState>): Observable<Connected> {
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

/** Progress in order, then the result. Written by hand: with operators a call took a third longer (npm run bench -- mcp). */
function callTool(
  { server, calls }: PeerOptions,
  connected: Connected,
  { name, args, caller }: ToolRequest,
): Observable<McpCallEvent> {
  return new Observable((subscriber) => {
    const end = calls.begin(caller)
    const fail = (error: unknown): void => subscriber.error(failureOf(error, connected))
    const silence = watchSilence(server, calls, fail)
    const onprogress: RequestOptions['onprogress'] = (event) => {
      silence.onActivity()
      subscriber.next(progressEvent(event))
    }
    const result$ = fromAbortable((signal) => {
      const limits = { signal, timeout: noLimit, maxTotalTimeout: longestCallMs, onprogress }
      return connected.client.callTool({ name, arguments: { ...args } }, limits)
    })
    const call = result$.subscribe({
      next: (result) => {
        subscriber.next({ type: 'result', result: result as { content: readonly McpJson[] } }) // the SDK has checked the shape
        subscriber.complete()
      },
      error: fail,
    })
    return () => {
      silence.stop()
      call.unsubscribe()
      end()
    }
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

interface SilenceWatch {
  /** The server has said something. */
  onActivity(): void
  stop(): void
}

/** Calls `onSilence` when the server was silent too long; the time of a person's answer does not count. */
function watchSilence(
  { name, callTimeoutMs }: McpServer,
  { paused$ }: OpenCalls,
  onSilence: (failure: Failure) => void,
): SilenceWatch {
  const overdue = (): Failure =>
    new Failure('timeout', `The MCP server ${name} was silent for ${callTimeoutMs / 1_000} s.`)
  let wait = Subscription.EMPTY
  let isPaused = false
  let hasStopped = false
  const restart = (): void => {
    wait.unsubscribe()
    if (!isPaused && !hasStopped) wait = asyncScheduler.schedule(() => onSilence(overdue()), callTimeoutMs)
  }
  const pauses = paused$.subscribe((next) => {
    isPaused = next
    restart()
  })
  return {
    onActivity: restart,
    stop: () => {
      hasStopped = true
      pauses.unsubscribe()
      wait.unsubscribe()
    },
  }
}

function failingAs<Value>(connected: Connected): MonoTypeOperatorFunction<Value> {
  return catchError((error: unknown) => throwError(() => failureOf(error, connected)))
}

function failureOf(error: unknown, connected: Connected): Failure {
  const failure = connected.failureOf(error)
  if (failure.data.status === 401) connected.end(failure) // the other requests would be refused as well
  return failure
}
