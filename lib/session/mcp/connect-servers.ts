// Connects a session with its MCP servers: their tools, their states, and what they ask.
// Guarantees: tools change between requests; a server that fails changes nothing but its tools.
import { auditTime, delay, filter, groupBy, map, merge, mergeMap, of, skip, switchMap, take } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import type { McpOffer, McpTool } from '../../mcp/contract/mcp-offer.ts'
import type { McpStatus } from '../../mcp/contract/mcp-server.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { Scope } from '../../streams/rx/scope.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ToolList } from '../contract/tool-list-port.ts'
import type { OpenedServers } from './opened-servers.ts'
import type { Session } from '../contract/session.ts'
import type { SessionBus } from '../pipeline/pipeline.ts'
import type { ToolChanges } from '../tools/tool-settings.ts'
import { serverPorts } from './server-ports.ts'
import type { AskingCore } from './server-ports.ts'

/** Parts that an opening has wired. */
export interface WiredServers {
  readonly core: AskingCore & {
    readonly toolList: ToolList
    readonly settings: Pick<ToolChanges, 'setBaseTools'>
  }
  readonly pipeline: Pick<SessionBus, 'publish'>
  readonly life: Scope
}

/** The servers end with the session. */
export function connectServers(servers: OpenedServers, session: Session, wired: WiredServers): void {
  const { core, pipeline, life } = wired
  const publish = (event: AgentEvent): void => {
    pipeline.publish({ event })
  }
  servers.connect(serverPorts({ core, sessionId: session.id, publish }))
  life.onEnd(servers.connection.close)
  merge(offers(servers, session, wired), states(servers))
    .pipe(life.bind())
    .subscribe(publish)
}

/** `ready` comes once the tools of the server are the session's, unless the state changes before. */
function states({ connection: { status$, offer$ } }: OpenedServers): Observable<AgentEvent> {
  const whenUsable$ = (status: McpStatus): Observable<McpStatus> =>
    offer$.pipe(
      filter(({ statuses }) => statuses.includes(status)),
      take(1),
      afterExchange(),
      map(() => status),
    )
  return status$.pipe(
    groupBy(({ server }) => server),
    mergeMap((ofServer$) =>
      ofServer$.pipe(switchMap((status) => (status.state === 'ready' ? whenUsable$(status) : of(status)))),
    ),
    map(({ server, state, error }) => ({
      type: 'mcp_status',
      server,
      state,
      ...(error === undefined ? {} : { error }),
    })),
  )
}

/** Milliseconds in which offers are joined. */
const exchangeMs = 0

/** Delays each value until the tools of an offer of the same moment are the session's. Buffers them so long. */
export function afterExchange<Value>(): MonoTypeOperatorFunction<Value> {
  return delay(exchangeMs)
}

/** Each offer changes the tools once. If a layer of the tools fails, they stay as they were. */
function offers(servers: OpenedServers, session: Session, { core }: WiredServers): Observable<AgentEvent> {
  let own: readonly McpTool[] = servers.opened.tools
  const exchange = ({ tools }: McpOffer): readonly AgentEvent[] => {
    const { switchedOff = [] } = session.state$.value
    const isWelcome = ({ name }: AnyTool): boolean =>
      !switchedOff.includes(name) && servers.chosenTools?.includes(name) !== false
    const mine = new Set<AnyTool>(own)
    const others = core.toolList.inputs.base.filter((tool) => !mine.has(tool))
    try {
      const event = core.settings.setBaseTools([...others, ...tools], { by: 'server', isWelcome })
      own = tools
      return event === undefined ? [] : [event]
    } catch (thrown) {
      return [warning(`The tools of the MCP servers did not change: ${Failure.from(thrown).message}`)]
    }
  }
  return servers.connection.offer$.pipe(
    skip(1), // the session was opened with it
    auditTime(exchangeMs),
    filter(({ tools }) => !isSameList(own, tools)),
    mergeMap(exchange),
  )
}

function isSameList(own: readonly McpTool[], tools: readonly McpTool[]): boolean {
  return own.length === tools.length && own.every((tool, index) => tool === tools[index])
}

function warning(message: string): AgentEvent {
  return { type: 'warning', code: 'mcp', message, recoverable: true }
}
