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
      return report(await compareCalls(workspace, hub), await measureOpening(workspace, hub))
    } finally {
      hub.close()
      await firstValueFrom(processesSettled(), { defaultValue: undefined })
    }
  },
}

const program = (root: string): string => path.join(root, 'test/mcp/fixtures/plain-server.ts')
const environment = (): Record<string, string> => ({ PATH: process.env['PATH'] ?? '' })

/** Microseconds of one call: [rxpi, the bare client], round by round in turn. */
async function compareCalls({ root, folder }: Workspace, hub: McpHub): Promise<readonly [number, number]> {
  const bare = new Client({ name: 'bench', version: '1.0.0' })
  const transport = { command: process.execPath, args: [program(root)], env: environment(), stderr: 'ignore' as const }
  await bare.connect(new StdioClientTransport(transport))
  const session = hub.open([serverOf('one', root)], portsOf(folder))
  const ready$ = session.offer$.pipe(filter(({ statuses }) => statuses[0]?.state === 'ready'))
  const offer = await firstValueFrom(ready$, { defaultValue: undefined })
  const echo = offer?.tools.find((tool) => tool.mcp.tool === 'echo')
  if (echo === undefined) throw new Error('the server has no tool echo')
  const ours = () => callOnce(echo, folder)
  const theirs = () => bare.callTool({ name: 'echo', arguments: { text: 'Hello' } })
  const figures: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    figures[0].push(await timeEach(ours, callsOfRound))
    figures[1].push(await timeEach(theirs, callsOfRound))
  }
  await bare.close()
  session.close()
  return [median(figures[0]), median(figures[1])]
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

function report([ours, theirs]: readonly [number, number], openingMs: number): Report {
  return {
    tables: [
      {
        title: 'MCP servers',
        columns: [{ title: 'what' }, { title: 'µs' }],
        rows: [
          ['a call of a program’s tool', ours],
          ['the same, by the bare client of the SDK', theirs],
          ['until a session with three servers has its first offer', openingMs * 1_000],
        ],
      },
    ],
    targets: [
      { what: 'a call of an MCP tool beside the bare client', measured: ours / theirs, limit: 1.2, unit: '×' },
      { what: 'three MCP servers in the start of a session', measured: openingMs, limit: 5, unit: ' ms' },
    ],
    notes: [
      'The program is `test/mcp/fixtures/plain-server.ts`; its tool returns its arguments.',
      'rxpi starts it in a session of its own. Linux then shares the processor between the two, which a loaded machine shows.',
    ],
  }
}
