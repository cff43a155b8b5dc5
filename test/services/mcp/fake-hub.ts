// An MCP hub without processes: a test decides what its servers bring, and what they ask.
import { BehaviorSubject, EMPTY, Subject, of } from 'rxjs'
import type { McpHub } from '../../../lib/mcp/contract/mcp-hub.ts'
import type { McpOffer, McpTool } from '../../../lib/mcp/contract/mcp-offer.ts'
import type { McpClientPorts } from '../../../lib/mcp/contract/mcp-requests.ts'
import type { McpServer, McpStatus } from '../../../lib/mcp/contract/mcp-server.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'

export function fakeTool(server: string, tool: string, digest = 'a', run = () => `result of ${tool}`): McpTool {
  return {
    name: `mcp__${server}__${tool}`,
    description: `${tool} of ${server}`,
    parameters: { type: 'object', properties: { text: { type: 'string' } } } as unknown as McpTool['parameters'],
    capability: 'exec',
    mcp: { server, tool, digest: digest.repeat(64), hints: {} },
    validate: () => [],
    execute: () => of(textResult(run())),
  }
}

export const status = (server: string, more: Partial<McpStatus> = {}): McpStatus => ({
  server,
  state: 'ready',
  restarts: 0,
  tools: 1,
  ...more,
})

export const noOffer: McpOffer = { tools: [], instructions: [], prompts: [], resources: [], statuses: [] }

/** A server of the settings that no session has opened. */
const configured = (name: string): McpServer => ({
  ...{ name, origin: 'user', perSession: false, startTimeoutMs: 1, callTimeoutMs: 1, sampling: false },
  transport: { kind: 'stdio', command: name, args: [], env: {} },
})

export interface FakeHub {
  readonly hub: McpHub
  readonly offer$: BehaviorSubject<McpOffer>
  readonly status$: Subject<McpStatus>
  readonly opened: { readonly servers: readonly McpServer[]; readonly ports: McpClientPorts }[]
  /** What was called, in order: `close`, `restart NAME` … */
  readonly calls: string[]
}

export function fakeHub(first: Partial<McpOffer> = {}): FakeHub {
  const offer$ = new BehaviorSubject<McpOffer>({ ...noOffer, ...first })
  const status$ = new Subject<McpStatus>()
  const opened: FakeHub['opened'] = []
  const calls: string[] = []
  const hub: McpHub = {
    open: (servers, ports) => {
      opened.push({ servers, ports })
      return {
        offer$,
        status$,
        getPrompt: (server, name, args) =>
          of({ messages: [{ role: 'user', content: [{ type: 'text', text: `${server} ${name} ${JSON.stringify(args)}` }] }] }), // prettier-ignore
        readResource: (server, uri) => of({ uri, content: [{ type: 'text', text: `content of ${server} ${uri}` }] }),
        complete: (ref, { name, value, known }) => {
          calls.push(`complete ${JSON.stringify(ref)} ${name}=${value} ${JSON.stringify(known)}`)
          return of([`${value}1`, `${value} 2`])
        },
        close: () => void calls.push('close session'),
      }
    },
    statuses: () => offer$.value.statuses,
    running: () =>
      offer$.value.statuses.map((each) => {
        const { servers = [], ports } = opened.at(-1) ?? {}
        const server = servers.find(({ name }) => name === each.server) ?? configured(each.server)
        return { server, cwd: ports?.cwd ?? '/', status: each }
      }),
    logs: (server) => [`a line of ${server}`],
    test: () => EMPTY,
    restart: (server) => void calls.push(`restart ${server}`),
    close: () => void calls.push('close hub'),
  }
  return { hub, offer$, status$, opened, calls }
}
