// Plays one scenario of the MCP conformance suite: `conformance-client.ts HOME URL`.
// It opens the server as a session does, signs in when the server wants that, and calls each tool, or those of the suite's context.
import './source-constants.ts'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { filter, firstValueFrom, lastValueFrom, map, of, switchMap, tap, timeout } from 'rxjs'
import type { McpClientPorts, McpServer, McpStatus, McpTool } from '../../lib/mcp/index.ts'
import { createMcpHub, mcpAccounts } from '../../lib/mcp/index.ts'
import { fileAccountStorage } from '../../lib/store/index.ts'
import type { ToolContext, ToolResult } from '../../lib/streams/ports/tool.ts'
import { isRecord } from '../../lib/streams/values/json.ts'
import { outputOf } from '../../lib/streams/tool-definition/tool-output.ts'
import { sampleArguments } from '../pi-extensions/packages/sample-arguments.ts'

const limitMs = 20_000
/** Sign-ins of one scenario: the first, and those for more rights. A person would stop as well. */
const signInLimit = 3

const [homes = '', url = ''] = process.argv.slice(2)
const home = path.join(homes, String(process.pid))
mkdirSync(home, { recursive: true, mode: 0o700 })
const context: unknown = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}')

const ports: McpClientPorts = {
  cwd: process.cwd(),
  env: {},
  sessionId: 'conformance',
  roots: [process.cwd()],
  elicit: () => of({ action: 'accept', values: {} }),
  redact: (text) => text,
  onNotice: ({ message }) => console.error(message),
}
const server: McpServer = {
  name: 'suite',
  origin: 'user',
  transport: { kind: 'http', url, headers: {} },
  perSession: true,
  startTimeoutMs: limitMs,
  callTimeoutMs: limitMs,
  sampling: false,
  ...registration(),
}

const accounts = mcpAccounts({ accounts: fileAccountStorage({ home }) })
const hub = createMcpHub({ accounts$: of(accounts) })
const session = hub.open([server], ports)
let signIns = 0
try {
  while ((await settledState())?.state === 'needs_login') await signIn()
  const status = await settledState()
  if (status?.state !== 'ready') throw new Error(`${status?.state}: ${status?.error}`)
  const offer = await firstValueFrom(session.offer$, { defaultValue: undefined })
  await Promise.all(callsOf(offer?.tools ?? []).map(call))
} finally {
  session.close()
  hub.close()
}

/** A client that the authorization server knows, from the suite's context, or the address of the client's own description. */
function registration(): Pick<McpServer, 'oauth'> {
  if (process.env['MCP_CONFORMANCE_SCENARIO'] === 'auth/basic-cimd')
    return { oauth: { clientId: 'https://conformance-test.local/client-metadata.json' } }
  if (!isRecord(context) || typeof context['client_id'] !== 'string') return {}
  const secret = context['client_secret']
  return { oauth: { clientId: context['client_id'], ...(typeof secret === 'string' ? { clientSecret: secret } : {}) } }
}

function settledState(): Promise<McpStatus | undefined> {
  return firstValueFrom(
    session.offer$.pipe(
      map(({ statuses: [status] }) => status),
      filter((status): status is McpStatus => status !== undefined && status.state !== 'starting'),
      timeout(limitMs),
    ),
    { defaultValue: undefined },
  )
}

/** The suite's authorization server answers at once with the redirect of an approval. */
async function signIn(): Promise<void> {
  signIns += 1
  if (signIns > signInLimit) throw new Error(`The server wants more than ${signInLimit} sign-ins`)
  const outcome = await lastValueFrom(
    accounts.signIn(server).pipe(
      switchMap(({ updates$ }) => updates$),
      tap((update) => {
        if (update.step === 'open_url') fetch(update.url).catch((error: unknown) => console.error(error))
      }),
      timeout(limitMs),
    ),
    { defaultValue: undefined },
  )
  if (outcome?.step !== 'granted') throw new Error('The sign-in ended without a grant')
  await firstValueFrom(accounts.store(server, outcome.grant, 'file'), { defaultValue: undefined })
  const starting$ = session.status$.pipe(
    filter(({ state }) => state === 'starting'),
    timeout(limitMs),
  )
  const restarted = firstValueFrom(starting$, { defaultValue: undefined })
  hub.restart(server.name)
  await restarted
}

interface Call {
  readonly tool: McpTool
  readonly args: Readonly<Record<string, unknown>>
}

function callsOf(tools: readonly McpTool[]): readonly Call[] {
  const wanted =
    isRecord(context) && Array.isArray(context['toolCalls']) ? (context['toolCalls'] as unknown[]) : undefined
  if (wanted === undefined) return tools.map((tool) => ({ tool, args: argumentsOf(tool, tools) }))
  return wanted.flatMap((each) => {
    const tool = tools.find(({ mcp }) => isRecord(each) && mcp.tool === each['name'])
    return tool === undefined || !isRecord(each) || !isRecord(each['arguments'])
      ? []
      : [{ tool, args: each['arguments'] }]
  })
}

/** A tool that wants a schema gets that of the first other tool, as a model receives it. */
function argumentsOf(tool: McpTool, tools: readonly McpTool[]): Call['args'] {
  const sample = sampleArguments(tool.parameters as object) as Call['args']
  const other = tools.find((each) => each !== tool)
  return 'schema' in sample && other !== undefined ? { ...sample, schema: other.parameters } : sample
}

async function call({ tool, args }: Call): Promise<void> {
  const result = await resultOf({ tool, args })
  if (result.isError !== true || !textOf(result).includes('sign in again')) return
  await signIn()
  await call({ tool, args })
}

async function resultOf({ tool, args }: Call): Promise<ToolResult> {
  const surroundings: ToolContext = {
    cwd: ports.cwd,
    env: {},
    signal: AbortSignal.timeout(limitMs),
    sessionId: ports.sessionId,
    toolCallId: `call-${tool.name}`,
    ask: () => of({ outcome: null, by: 'default' }),
  }
  const last = await lastValueFrom(outputOf(tool.execute(args as never, surroundings), surroundings), {
    defaultValue: undefined,
  })
  if (last?.type !== 'result') throw new Error(`${tool.mcp.tool} has no result`)
  console.error(`${tool.mcp.tool}: ${textOf(last).slice(0, 400)}`)
  return last
}

function textOf({ content }: ToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : part.type)).join(' ')
}
