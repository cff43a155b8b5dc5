// MCP servers: a call of a tool beside the bare client of the SDK, and what three servers cost the start of a session.
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { EMPTY, filter, firstValueFrom, lastValueFrom } from 'rxjs'
import type { Observable } from 'rxjs'
import { processesSettled } from '../lib/host/process/running-processes.ts'
import { createMcpHub, decodeServer, fileMemory } from '../lib/mcp/index.ts'
import type { McpClientPorts, McpHub, McpServer, McpTool } from '../lib/mcp/index.ts'
import type { ToolContext } from '../lib/streams/ports/tool.ts'
import type { Benchmark, Report, Workspace } from './report.ts'
import { measureStarts } from './mcp-start.ts'
import type { McpStart } from './mcp-start.ts'
import { median } from './statistics.ts'

const rounds = 9
const callsOfRound = 300
const opensOfRound = 20

export const mcp: Benchmark = {
  name: 'mcp',
  about: 'a call of a tool of an MCP server, and the start of a session with three servers',
  run: async (workspace) => {
    const hub = createMcpHub({ graceMs: 0, memory: fileMemory({ folder: workspace.folder }) })
    try {
      const calls = await compareCalls(workspace, hub)
      const openingMs = await measureOpening(workspace, hub)
      return report(calls, openingMs, await measureStarts(workspace, program(workspace.root)))
    } finally {
      hub.close()
      await firstValueFrom(processesSettled(), { defaultValue: undefined })
    }
  },
}

const program = (root: string): string => path.join(root, 'test/mcp/fixtures/plain-server.ts')
const environment = (): Record<string, string> => ({ PATH: process.env['PATH'] ?? '' })

interface CallFigures {
  readonly ours: number
  /** The bare client, that can neither report progress nor be cancelled. */
  readonly bare: number
  /** The same client with both, as rxpi needs them. */
  readonly fair: number
}

/** Microseconds of one call, round by round in turn. */
async function compareCalls({ root, folder }: Workspace, hub: McpHub): Promise<CallFigures> {
  const bare = new Client({ name: 'bench', version: '1.0.0' })
  const transport = { command: process.execPath, args: [program(root)], env: environment(), stderr: 'ignore' as const }
  await bare.connect(new StdioClientTransport(transport))
  const session = hub.open([serverOf('one', root)], portsOf(folder))
  const ready$ = session.offer$.pipe(filter(({ statuses }) => statuses[0]?.state === 'ready'))
  const offer = await firstValueFrom(ready$, { defaultValue: undefined })
  const echo = offer?.tools.find((tool) => tool.mcp.tool === 'echo')
  if (echo === undefined) throw new Error('the server has no tool echo')
  const ours = () => callOnce(echo, folder)
  const request = { name: 'echo', arguments: { text: 'Hello' } }
  const theirs = () => bare.callTool(request)
  const cancellable = () =>
    bare.callTool(request, { signal: new AbortController().signal, onprogress: () => undefined })
  const figures: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round += 1) {
    figures[0].push(await timeEach(ours, callsOfRound))
    figures[1].push(await timeEach(theirs, callsOfRound))
    figures[2].push(await timeEach(cancellable, callsOfRound))
  }
  await bare.close()
  session.close()
  return { ours: median(figures[0]), bare: median(figures[1]), fair: median(figures[2]) }
}

function callOnce(tool: McpTool, cwd: string): Promise<unknown> {
  const context = { sessionId: 'bench', toolCallId: 'c', cwd, env: {} } as ToolContext
  const result$ = tool.execute({ text: 'Hello' } as never, context) as Observable<unknown>
  return lastValueFrom(result$, { defaultValue: undefined })
}

/** Milliseconds until a session with three servers has its first offer, by whose tools its first request is made. */
async function measureOpening({ root, folder }: Workspace, hub: McpHub): Promise<number> {
  const servers = ['one', 'two', 'three'].map((name) => serverOf(name, root))
  const open = async (isFirst = false): Promise<void> => {
    const session = hub.open(servers, portsOf(folder))
    const enough$ = session.offer$.pipe(filter((offer) => !isFirst || isReady(offer)))
    await firstValueFrom(enough$, { defaultValue: undefined })
    session.close()
  }
  await open(true) // their lists are remembered
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) times.push((await timeEach(open, opensOfRound)) / 1_000)
  return median(times)
}

type Offer = { readonly statuses: readonly { readonly state: string }[] }

const isReady = ({ statuses }: Offer): boolean => statuses.every(({ state }) => state === 'ready')

/** Microseconds of one, of `count` one after the other. */
async function timeEach(work: () => Promise<unknown>, count: number): Promise<number> {
  const began = performance.now()
  for (let index = 0; index < count; index += 1) await work()
  return ((performance.now() - began) / count) * 1_000
}

function serverOf(name: string, root: string): McpServer {
  const entry = { command: process.execPath, args: [program(root)] }
  const server = decodeServer(name, entry, { origin: 'user', folder: root, variables: { values: {} } })
  if (server === undefined) throw new Error('the entry is disabled')
  return server
}

function portsOf(cwd: string): McpClientPorts {
  return {
    cwd,
    env: environment(),
    sessionId: 'bench',
    roots: [cwd],
    elicit: () => EMPTY,
    redact: (text) => text,
    onNotice: ({ message }) => {
      throw new Error(message)
    },
  }
}

function report({ ours, bare, fair }: CallFigures, openingMs: number, start: McpStart): Report {
  return {
    tables: [
      {
        title: 'MCP servers',
        columns: [{ title: 'what' }, { title: 'µs' }],
        rows: [
          ['a call of a program’s tool', ours],
          ['the same, by the bare client of the SDK', bare],
          ['the same, by the bare client with progress and a signal', fair],
          ['until a session with three servers has its first offer', openingMs * 1_000],
          ['from the start of rxpi rpc to its first session, three servers', start.withServers * 1_000],
          ['the same without servers', start.without * 1_000],
        ],
      },
    ],
    targets: [
      { what: 'a call of an MCP tool beside the bare client', measured: ours / bare, limit: 1.2, unit: '×' },
      {
        what: 'the same beside a bare client with progress and a signal',
        measured: ours / fair,
        limit: 1.2,
        unit: '×',
      },
      { what: 'three MCP servers in the start of a session', measured: openingMs, limit: 5, unit: ' ms' },
      {
        what: 'three MCP servers in the whole start, difference of pairs',
        measured: start.difference,
        limit: 5,
        unit: ' ms',
      },
    ],
    notes: [
      'The program is `test/mcp/fixtures/plain-server.ts`; its tool returns its arguments.',
      'rxpi starts it in a session of its own. Linux then shares the processor between the two, which a loaded machine shows.',
    ],
  }
}
