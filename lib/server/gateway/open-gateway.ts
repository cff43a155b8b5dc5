// Serves the protocol to programs that cannot open a Unix socket: WebSocket and health over HTTP.
// Guarantees: listens on loopback unless configured otherwise; unsubscribing, or the end of the server, ends all of it.
import { Subscription, catchError, defer, finalize, from, map, mergeMap, shareReplay, takeUntil, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gatewayToken } from '../../services/index.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Server } from '../create-server.ts'
import { answerJson, refuse, respond, untilClosed } from '../http/answer-json.ts'
import type { AdmissionRules } from '../http/admit-head.ts'
import { listenHttp } from '../http/http-listener.ts'
import { isLoopback } from '../http/loopback.ts'
import type { Transport } from '../protocol/transport.ts'
import type { AgUiOptions } from './ag-ui/ag-ui-route.ts'
import type { AcceptedSocketOptions } from './accepted-socket.ts'
import type { Gateway, GatewayOptions } from './gateway-options.ts'
import { admitToRoute } from './gateway-routes.ts'
import type { Route, Routes } from './gateway-routes.ts'
import { pageRoutes } from './page-routes.ts'
import type { webSockets } from './web-sockets.ts'

export interface OpenGatewayOptions extends GatewayOptions {
  /** Limit of WebSockets. @default 256 */
  readonly maxClients?: number
  /** Milliseconds for the head of a request. @default 10,000 */
  readonly headersTimeoutMs?: number
  /** Answers at other paths, such as `/`. @default none */
  readonly routes?: Routes
  /** The folder of the page, which may then use the gateway. @default no page */
  readonly pageFolder?: string
  /** Times and limits of AG-UI. */
  readonly agUi?: Partial<AgUiOptions>
  /** Times of the WebSockets. */
  readonly sockets?: Omit<AcceptedSocketOptions, 'readBelow'>
}

const defaultHost = '127.0.0.1'
/** Connections of HTTP and WebSockets together, beside those of WebSockets. */
const connectionReserve = 256
/** As for the Unix socket: UTF-16 units unsent above which a client's requests are not read. */
const readBelow = 4_194_304

/** See `serveGateway`. */
export function openGateway(server: Server, options: OpenGatewayOptions): Observable<Gateway> {
  const { host = defaultHost, env } = options
  return defer(() => {
    if (options.unsafeHost !== true && !isLoopback(host)) throw unsafeHostFailure(host)
    const token = gatewayToken(env)
    return from(import('./web-sockets.ts')).pipe(
      mergeMap((loaded) => listenGateway(server, options, { token: token.token, webSockets: loaded.webSockets })),
      map((url) => ({ url, tokenFrom: token.from })),
      takeUntil(server.ended$),
    )
  })
}

interface GatewayParts {
  readonly token: string
  readonly webSockets: typeof webSockets
}

/** Emits the address. */
function listenGateway(server: Server, options: OpenGatewayOptions, parts: GatewayParts): Observable<string> {
  const { port, host = defaultHost, hosts = [], origins = [], maxClients = 256, headersTimeoutMs, pageFolder } = options
  const exchanges = new Subscription()
  const page = pageFolder === undefined ? {} : pageRoutes(pageFolder)
  const routes: Routes = {
    ...page,
    ...options.routes,
    '/health': health,
    ...agUiRoutes(server, options, exchanges),
  }
  const ownPages = pageFolder !== undefined
  const rulesFor = (own: readonly string[]): AdmissionRules => ({ token: parts.token, hosts: own, origins, ownPages })
  const http$ = listenHttp({
    name: 'The gateway',
    port,
    host,
    hosts,
    maxConnections: maxClients + connectionReserve,
    ...(headersTimeoutMs === undefined ? {} : { headersTimeoutMs }),
    onRequest: (incoming, response, own) => {
      exchanges.add(answerRequest(incoming, response, routes, rulesFor(own)).subscribe())
    },
  })
  return http$.pipe(
    tap(({ url, hosts: own, server: listener }) => {
      const connect = (transport: Transport): void => server.connect(transport)
      const sockets = parts.webSockets({ ...options.sockets, readBelow, maxClients, rules: rulesFor(own), connect })
      listener.on('upgrade', (incoming, _, head) => sockets.accept(incoming, head))
      exchanges.add(server.announceHttp(url))
    }),
    map(({ url }) => url),
    finalize(() => exchanges.unsubscribe()),
  )
}

/** Loads AG-UI at its first request. */
function agUiRoutes(
  server: Server,
  { cwd = process.cwd(), env, agUi }: OpenGatewayOptions,
  exchanges: Subscription,
): Routes {
  const endpoint$ = defer(() => from(import('./ag-ui/ag-ui-route.ts'))).pipe(
    map(({ agUiEndpoint }) => {
      const endpoint = agUiEndpoint(server, { cwd, env: sessionEnvironment(env), ...agUi })
      exchanges.add(endpoint.close)
      return endpoint
    }),
    shareReplay({ bufferSize: 1, refCount: false }),
  )
  const post = (name: 'answer' | 'cancel'): Route => ({
    method: 'POST',
    answer: (incoming, response, cors) =>
      endpoint$.pipe(mergeMap((endpoint) => endpoint[name](incoming, response, cors))),
  })
  return { '/ag-ui': post('answer'), '/ag-ui/cancel': post('cancel') }
}

/** Variables that tools of a session need; a key of the server's start is none of them. */
const toolVariables = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TERM|TMPDIR|XDG_\w+|RXPI_HOME)$/

function sessionEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => toolVariables.test(name)))
}

function answerRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  routes: Routes,
  rules: AdmissionRules,
): Observable<never> {
  const { method = '', url: target = '', headers } = incoming
  const admitted = admitToRoute({ method, target, headers }, routes, rules)
  const { cors } = admitted
  const answer$ = defer(() => {
    if ('route' in admitted) return admitted.route.answer(incoming, response, cors)
    if (admitted.ok === 'preflight') return respond(response, 204, cors)
    return refuse(response, admitted.failure, cors, admitted.status)
  })
  return untilClosed(
    answer$.pipe(catchError((error: unknown) => refuse(response, Failure.from(error), cors))),
    response,
  )
}

/** For a supervisor that asks whether it runs; says nothing else. */
const health: Routes[string] = {
  method: 'GET',
  isOpen: true,
  answer: (_, response, cors) => answerJson(response, cors, { status: 'ok' }),
}

function unsafeHostFailure(host: string): Failure {
  return new Failure(
    'bad_request',
    `The gateway speaks plain HTTP, so it listens on 127.0.0.1, localhost or ::1, not ${JSON.stringify(host)}. Put a TLS proxy in front of it, or allow the address with --http-unsafe.`,
    { data: { field: 'host' } },
  )
}
