// Opens the servers of one session: joins their connections and combines what they bring.
import {
  combineLatest,
  concat,
  defer,
  map,
  merge,
  NEVER,
  of,
  ReplaySubject,
  share,
  switchMap,
  takeUntil,
  throwError,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { promptMessages, resourceContent } from '../content/read-content.ts'
import { fitInstructions } from '../content/server-instructions.ts'
import type { McpSession } from '../contract/mcp-hub.ts'
import type { McpCompletionRef, McpOffer } from '../contract/mcp-offer.ts'
import type { McpJson } from '../contract/mcp-peer.ts'
import type { McpClientPorts } from '../contract/mcp-requests.ts'
import type { McpServer } from '../contract/mcp-server.ts'
import { Failure } from '../../streams/values/failure.ts'
import { withoutSharedNames } from '../tools/tool-names.ts'
import { serverOffer } from './server-offer.ts'
import type { ServerOffer } from './server-offer.ts'
import type { SharedConnection, SharedConnections } from './shared-connections.ts'

export interface OpenSessionOptions {
  readonly servers: readonly McpServer[]
  readonly ports: McpClientPorts
  readonly connections: SharedConnections
  readonly spillFolder?: string | undefined
}

/** Starts what is not started yet; the session holds its connections until it is closed. */
export function openMcpSession(options: OpenSessionOptions): McpSession {
  const { servers, ports } = options
  const closed$ = new ReplaySubject<void>(1)
  const taken = new Map(servers.map((server) => [server.name, options.connections.take(server, ports)]))
  const connections = [...taken.values()]
  const leaves = connections.map(({ calls }) => calls.join(ports))
  const notices = new Set<string>()
  const notify = (server: string, message: string): void => {
    if (notices.size < noticeLimit && !notices.has(`${server} ${message}`)) {
      notices.add(`${server} ${message}`)
      ports.onNotice({ server, message: ports.redact(message) })
    }
  }
  const offer$ = combineOffers(connections, options, notify).pipe(
    takeUntil(closed$),
    share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: false, resetOnComplete: false }),
  )
  const held = offer$.subscribe()
  const connectionOf$ = (name: string): Observable<SharedConnection> =>
    defer(() => {
      const connection = taken.get(name)
      return connection === undefined ? throwError(() => unknownServer(name)) : of(connection)
    })
  return {
    offer$,
    status$: merge(...connections.map(({ state$ }) => state$.pipe(map(({ status }) => status)))).pipe(
      takeUntil(closed$),
    ),
    ...contentOf(connectionOf$, closed$),
    close: () => {
      closed$.next()
      for (const leave of leaves) leave()
      held.unsubscribe()
    },
  }
}

/** Sentences that one session shows. */
const noticeLimit = 500

function combineOffers(
  connections: readonly SharedConnection[],
  { spillFolder }: OpenSessionOptions,
  notify: (server: string, message: string) => void,
): Observable<McpOffer> {
  if (connections.length === 0) return concat(of(combine([], notify)), NEVER)
  const offers = connections.map(({ server, state$, peer, remembered }) =>
    serverOffer({
      server,
      state$,
      peer,
      remembered: remembered(),
      spillFolder,
      onNotice: (message) => notify(server.name, message),
    }),
  )
  return combineLatest(offers).pipe(map((each) => combine(each, notify)))
}

function combine(offers: readonly ServerOffer[], notify: (server: string, message: string) => void): McpOffer {
  const { tools, notices } = withoutSharedNames(offers.flatMap((offer) => offer.tools))
  const { fitting, left } = fitInstructions(offers.flatMap(({ instructions }) => instructions))
  for (const { server, message } of notices) notify(server, message)
  for (const server of left) notify(server, 'Its instructions are left out: those of all servers are too long.')
  return {
    tools,
    instructions: fitting,
    prompts: offers.flatMap(({ prompts }) => prompts),
    resources: offers.flatMap(({ resources }) => resources),
    statuses: offers.map(({ status }) => status),
  }
}

type ConnectionOf = (name: string) => Observable<SharedConnection>

function contentOf(
  connectionOf$: ConnectionOf,
  closed$: Observable<void>,
): Pick<McpSession, 'getPrompt' | 'readResource' | 'complete'> {
  return {
    getPrompt: (server, name, args) =>
      connectionOf$(server).pipe(
        switchMap(({ peer }) => peer.getPrompt(name, args)),
        map((result) => promptMessages(server, result)),
        takeUntil(closed$),
      ),
    readResource: (server, uri) =>
      connectionOf$(server).pipe(
        switchMap(({ peer }) => peer.readResource(uri)),
        map((result) => resourceContent(server, uri, result)),
        takeUntil(closed$),
      ),
    complete: (ref, argument) =>
      connectionOf$(ref.server).pipe(
        switchMap(({ peer }) => peer.complete(wireRef(ref), argument)),
        takeUntil(closed$),
      ),
  }
}

function wireRef(ref: McpCompletionRef): McpJson {
  return ref.kind === 'prompt' ? { type: 'ref/prompt', name: ref.name } : { type: 'ref/resource', uri: ref.uri }
}

function unknownServer(name: string): Failure {
  return new Failure('bad_request', `This session has no MCP server ${name}.`)
}
