// Opens the MCP servers of a session beside its first request, and adds what they bring to its parts.
// Guarantees: a session waits for no server when it opens; servers that no session uses are released.
import { defer, filter, finalize, ignoreElements, merge, mergeMap, take, tap, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { joinNotes } from '../../context/notes/join-notes.ts'
import type { McpHub } from '../../mcp/contract/mcp-hub.ts'
import type { McpOffer } from '../../mcp/contract/mcp-offer.ts'
import { mayBeToolOf } from '../../mcp/tools/tool-names.ts'
import { afterExchange, connectServers } from '../../session/mcp/connect-servers.ts'
import { latePorts } from '../../session/mcp/late-ports.ts'
import type { WiredServers } from '../../session/mcp/connect-servers.ts'
import { startingServers } from '../../session/mcp/opened-servers.ts'
import type { OpenedServers } from '../../session/mcp/opened-servers.ts'
import { addServerSection, serverNotes } from '../../session/mcp/server-notes.ts'
import { serverPrompts } from '../../session/mcp/server-prompts.ts'
import { findResources } from '../../session/mcp/find-resources.ts'
import { readResources } from '../../session/mcp/server-resources.ts'
import type { SessionPrompt } from '../../session/create/session-prompt.ts'
import type { SessionServers } from '../../session/contract/servers-port.ts'
import type { PromptCommands } from '../../streams/ports/prompt-commands.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { Notice } from '../contract/server-backend.ts'
import { configuredServers } from './configured-servers.ts'
import type { ServerSources } from './configured-servers.ts'

export interface OpenServersOptions extends ServerSources {
  /** Emits the hub of the server once; it is loaded with the first session that has servers. */
  readonly hub$: Observable<McpHub>
  readonly sessionId: string
  /** The environment that commands of tools get. */
  readonly commandEnv: Readonly<Record<string, string>>
  /** The tools that the command of the session names. Default: it names none. */
  readonly chosenTools?: readonly string[] | undefined
  /** Hides secrets in texts for people. */
  redact(text: string): string
}

/** The servers of a session. */
export interface ServersOfSession {
  readonly notices: readonly Notice[]
  /** Absent: no server can be used. */
  readonly session?: SessionServers
  readonly tools: readonly AnyTool[]
  /** True if a server may still bring a tool of this name. */
  mayBring(name: string): boolean
  /** The prompt with the servers' instructions. */
  addToPrompt(prompt: SessionPrompt): SessionPrompt
  /** The commands with the servers' prompts. */
  addToCommands(commands: PromptCommands | undefined): PromptCommands | undefined
}

export function withServers<Value>(
  options: OpenServersOptions,
  use$: (servers: ServersOfSession | undefined) => Observable<Value>,
): Observable<Value> {
  return defer(() => {
    const { servers, notices } = configuredServers(options)
    if (servers.length === 0) return use$({ ...nothing, notices })
    return options.hub$.pipe(
      take(1),
      mergeMap((hub) => {
        const late = latePorts()
        const connection = hub.open(servers, { ...portsOf(options), ...late.ports })
        const opened = firstOffer(connection)
        const { chosenTools } = options
        const names = servers.map(({ name }) => name)
        const parts = { connection, opened, chosenTools, ready$: readySoon(connection), connect: late.connect }
        return closeUnlessUsed(
          connection,
          defer(() =>
            use$({
              ...sessionParts(parts, notices),
              mayBring: (tool) => names.some((name) => mayBeToolOf(name, tool)),
            }),
          ),
        )
      }),
    )
  })
}

const nothing: Omit<ServersOfSession, 'notices'> = {
  tools: [],
  mayBring: () => false,
  addToPrompt: (prompt) => prompt,
  addToCommands: (commands) => commands,
}

function portsOf({ cwd, commandEnv: env, sessionId, redact }: OpenServersOptions) {
  return { cwd, env, sessionId, roots: [cwd], redact }
}

const noOffer: McpOffer = { tools: [], instructions: [], prompts: [], resources: [], statuses: [] }

/** The offer has the remembered tools at once. */
function firstOffer({ offer$ }: OpenedServers['connection']): McpOffer {
  let first = noOffer
  offer$.subscribe((offer) => (first = offer)).unsubscribe()
  return first
}

/** Milliseconds after the opening within which a server without remembered tools still joins the first request. */
const joinMs = 250

/** Emits nothing; completes once every server is known, or the time is over. */
function readySoon({ offer$ }: OpenedServers['connection']): Observable<never> {
  const until = performance.now() + joinMs
  return defer(() => {
    const known$ = offer$.pipe(
      filter(({ statuses }) => statuses.every(({ state, tools }) => state !== 'starting' || tools !== undefined)),
      take(1),
      afterExchange(),
    )
    return merge(known$, timer(Math.max(0, until - performance.now()))).pipe(take(1), ignoreElements())
  })
}

function sessionParts(servers: OpenedServers, notices: readonly Notice[]): Omit<ServersOfSession, 'mayBring'> {
  const { instructions, tools } = servers.opened
  return {
    notices,
    tools,
    session: {
      attach: (session, wired: WiredServers) => {
        connectServers(servers, session, wired)
      },
      readResources: (text) => readResources(text, servers),
      findResources: (wanted) => findResources(wanted, servers),
      starting: () => startingServers(servers),
    },
    addToPrompt: (prompt) => ({
      ...prompt,
      sectionsFor: (active) => addServerSection(prompt.sectionsFor(active), instructions),
      contextNotes: joinNotes([prompt.contextNotes, serverNotes(servers)]),
    }),
    addToCommands: (commands) => serverPrompts(servers, commands),
  }
}

function closeUnlessUsed<Value>(connection: OpenedServers['connection'], used$: Observable<Value>): Observable<Value> {
  let isUsed = false
  return used$.pipe(
    tap(() => (isUsed = true)),
    finalize(() => {
      if (!isUsed) connection.close()
    }),
  )
}
