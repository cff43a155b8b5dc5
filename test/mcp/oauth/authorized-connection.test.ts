// Tests connections to a server that wants a sign-in: without an account, with one, with a token it refuses.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server'
import { EMPTY, filter, firstValueFrom, lastValueFrom, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { expect, it, onTestFinished } from 'vitest'
import { createMcpHub } from '../../../lib/mcp/hub/create-hub.ts'
import type { McpOffer } from '../../../lib/mcp/contract/mcp-offer.ts'
import type { McpClientPorts } from '../../../lib/mcp/contract/mcp-requests.ts'
import { mcpAccounts } from '../../../lib/mcp/oauth/mcp-accounts.ts'
import { fileAccountStorage } from '../../../lib/store/config/file-account-storage.ts'
import type { ToolContext, ToolResult } from '../../../lib/streams/ports/tool.ts'
import { mockAuthorization, remoteServer, serverUrl } from './mock-authorization.ts'

const ports: McpClientPorts = {
  cwd: '/',
  env: {},
  sessionId: 's1',
  roots: ['/'],
  elicit: () => EMPTY,
  redact: (text) => text,
  onNotice: () => undefined,
}

function scene() {
  const home = mkdtempSync(path.join(tmpdir(), 'rxpi-mcp-auth-'))
  const mock = mockAuthorization()
  /** Answers to calls of tools: `scope` misses a right. */
  const denied = { scope: '' }
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'notes', version: '1' })
    server.registerTool('read', { description: 'Reads.' }, () => ({ content: [{ type: 'text', text: 'read' }] }))
    return server
  })
  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    if (request.url !== serverUrl || !mock.valid.has(token)) return mock.fetch(input, init)
    if (denied.scope !== '' && (await request.clone().text()).includes('tools/call')) {
      const challenge = `Bearer error="insufficient_scope", scope="${denied.scope}"`
      return new Response(null, { status: 403, headers: { 'www-authenticate': challenge } })
    }
    return handler.fetch(request)
  }
  const accounts = mcpAccounts({ accounts: fileAccountStorage({ home }), fetch: answer })
  const hub = createMcpHub({ accounts$: of(accounts), graceMs: 0 })
  const session = hub.open([remoteServer()], ports)
  onTestFinished(() => {
    hub.close()
    rmSync(home, { recursive: true })
  })
  const offerIn = (state: string): Promise<McpOffer | undefined> =>
    firstValueFrom(session.offer$.pipe(filter(({ statuses }) => statuses[0]?.state === state)), {
      defaultValue: undefined,
    })
  return { accounts, denied, hub, mock, offerIn }
}

async function call(offer: McpOffer | undefined): Promise<ToolResult | undefined> {
  const context = { sessionId: 's1', toolCallId: 'c1', cwd: '/', env: {} } as ToolContext
  const result$ = offer?.tools[0]?.execute({} as never, context) as Observable<ToolResult>
  return lastValueFrom(result$, { defaultValue: undefined })
}

it('waits for a sign-in, works with an account, renews a refused token and names rights that are missing [MCP-login-renewed]', async () => {
  const { accounts, denied, hub, mock, offerIn } = scene()
  const waiting = await offerIn('needs_login')
  expect(waiting).toMatchObject({
    tools: [],
    statuses: [{ error: 'The MCP server notes wants a sign-in: rxpi mcp login notes' }],
  })

  const grant = await signIn(accounts, mock)
  await firstValueFrom(accounts.store(remoteServer(), grant, 'file'), { defaultValue: undefined })
  hub.restart('notes')
  const offer = await offerIn('ready')
  expect(offer?.tools.map(({ name }) => name)).toEqual(['mcp__notes__read'])
  expect(await call(offer)).toMatchObject({ content: [{ type: 'text', text: 'read' }] })

  mock.valid.clear()
  expect(await call(offer)).toMatchObject({ content: [{ type: 'text', text: 'read' }] })
  expect(mock.bodies.filter((body) => body['grant_type'] === 'refresh_token')).toHaveLength(1)

  denied.scope = 'write'
  const text = 'The MCP server notes wants the rights write: sign in again: rxpi mcp login notes'
  expect(await call(offer)).toMatchObject({ isError: true, content: [{ text }] })
})

async function signIn(accounts: ReturnType<typeof scene>['accounts'], mock: ReturnType<typeof scene>['mock']) {
  const login = await firstValueFrom(accounts.signIn(remoteServer()), { defaultValue: undefined })
  if (login === undefined) throw new Error('there is no sign-in')
  const granted$ = login.updates$.pipe(
    filter((update) => {
      if (update.step === 'open_url')
        queueMicrotask(() => login.input(`http://127.0.0.1/?${mock.approve(update.url).toString()}`))
      return update.step === 'granted'
    }),
  )
  const update = await lastValueFrom(granted$, { defaultValue: undefined })
  if (update?.step !== 'granted') throw new Error('the sign-in ended without a grant')
  return update.grant
}
