// Makes of one connection what its server brings to a session, remembered lists first.
import { defer, map, of, switchMap, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import { convertPrompts, convertResources } from '../content/convert-lists.ts'
import { boundInstructions } from '../content/server-instructions.ts'
import type { McpOffer, McpTool } from '../contract/mcp-offer.ts'
import type { McpLists, McpPeer } from '../contract/mcp-peer.ts'
import type { McpServer, McpStatus } from '../contract/mcp-server.ts'
import type { ServerState } from '../connection/supervise-server.ts'
import { convertListedTools, convertRememberedTools } from '../tools/convert-tools.ts'
import type { ConvertedTools } from '../tools/convert-tools.ts'

export interface ServerOffer extends Omit<McpOffer, 'statuses'> {
  readonly status: McpStatus
}

export interface ServerOfferOptions {
  readonly server: McpServer
  readonly state$: Observable<ServerState>
  readonly peer: McpPeer
  readonly remembered: McpLists | undefined
  readonly spillFolder?: string | undefined
  /** A sentence about something that was left out or has changed. */
  readonly onNotice: (message: string) => void
}

type Brought = Omit<ServerOffer, 'status'>

/**
 * Emits at once, with the remembered lists, and then for each change. Never fails; ends with `state$`. A list of the server is
 * converted beside other work: until then the lists before stay.
 */
export function serverOffer(options: ServerOfferOptions): Observable<ServerOffer> {
  const { server, state$, peer, remembered, spillFolder, onNotice } = options
  return defer(() => {
    const source = {
      server: server.name,
      peer,
      ...(server.tools === undefined ? {} : { tools: server.tools }),
      ...(spillFolder === undefined ? {} : { spillFolder }),
    }
    let from = remembered
    let brought =
      remembered === undefined ? nothing : bring(server, remembered, convertRememberedTools(remembered.tools, source))
    const convert$ = (lists: McpLists): Observable<Brought> =>
      convertListedTools(lists.tools, source).pipe(
        tap(({ tools }) => {
          for (const name of changedTools(brought.tools, tools)) onNotice(`The tool "${name}" has changed.`)
        }),
        map((converted) => bring(server, lists, converted, onNotice)),
        tap((next) => {
          from = lists
          brought = next
        }),
      )
    return state$.pipe(
      switchMap(({ status, lists }) =>
        (lists === undefined || lists === from ? of(brought) : convert$(lists)).pipe(
          map((each) => ({ ...each, status })),
        ),
      ),
    )
  })
}

const nothing: Brought = { tools: [], prompts: [], resources: [], instructions: [] }

function bring(
  { name }: McpServer,
  lists: McpLists,
  { tools, notices }: ConvertedTools,
  onNotice: (message: string) => void = () => undefined,
): Brought {
  const prompts = convertPrompts(name, lists.prompts)
  const resources = convertResources(name, lists.resources)
  for (const message of [...notices, ...prompts.notices, ...resources.notices]) onNotice(message)
  return {
    tools,
    prompts: prompts.values,
    resources: resources.values,
    instructions: boundInstructions(name, lists.instructions),
  }
}

/** Tools that were there before with another digest. */
function changedTools(before: readonly McpTool[], now: readonly McpTool[]): readonly string[] {
  const digests = new Map(before.map(({ mcp: { tool, digest } }) => [tool, digest]))
  return now.flatMap(({ mcp: { tool, digest } }) => {
    const earlier = digests.get(tool)
    return earlier === undefined || earlier === digest ? [] : [tool]
  })
}
