// Serves rxpi over MCP in this process, for the SDK's client in either revision of the protocol.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import type { ElicitResult } from '@modelcontextprotocol/client'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { lastValueFrom } from 'rxjs'
import { onTestFinished } from 'vitest'
import { servedTools } from '../../../app/mcp-serve/call-tools.ts'
import { createMcpServer } from '../../../app/mcp-serve/create-mcp-server.ts'
import { createRunHub } from '../../../app/mcp-serve/run-hub.ts'
import type { RunHub } from '../../../app/mcp-serve/run-hub.ts'
import { createEmbeddedServer } from '../../../lib/server/machine-server.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { AnyTool } from '../../../lib/streams/ports/tool.ts'

export const revisions = ['2025-11-25', '2026-07-28'] as const
export type Revision = (typeof revisions)[number]

export interface SceneOptions {
  readonly script: Parameters<typeof scripted>[0]
  readonly tools?: readonly AnyTool[]
  /** Answers what the server asks a person. Absent: the client asks nobody. */
  readonly elicit?: (params: Readonly<Record<string, unknown>>) => ElicitResult | Promise<ElicitResult>
  readonly waitMs?: number
}

export interface Scene {
  readonly folder: string
  readonly hub: RunHub
  readonly tools: ReturnType<typeof servedTools>
  connect(revision: Revision, elicit?: SceneOptions['elicit']): Promise<Client>
}

export function serveScene({ script, tools: own = [], waitMs }: SceneOptions): Scene {
  const top = mkdtempSync(join(tmpdir(), 'rxpi-mcp-serve-'))
  const env = { RXPI_HOME: join(top, 'home'), XDG_CONFIG_HOME: join(top, 'config'), HOME: top, RXPI_SANDBOX: 'off', RXPI_APPROVE: 'ask', PATH: process.env['PATH'] ?? '' } // prettier-ignore
  const { client } = createEmbeddedServer({
    env,
    session: () => ({ model: { model: scriptedModel, provider: scripted(script) }, customTools: own }),
  })
  const hub = createRunHub(client, waitMs)
  const tools = servedTools({ client, hub, env, cwd: top })
  onTestFinished(async () => {
    hub.close()
    await lastValueFrom(client.request({ type: 'shutdown' }), { defaultValue: undefined })
    client.close()
    rmSync(top, { recursive: true, force: true })
  })
  return { folder: top, hub, tools, connect: (revision, elicit) => connect(tools, revision, elicit) }
}

async function connect(tools: Scene['tools'], revision: Revision, elicit: SceneOptions['elicit']): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair()
  const handle = serveStdio(() => createMcpServer(tools, '1.2.3'), { transport: there })
  const client = new Client(
    { name: 'test', version: '0' },
    {
      capabilities: elicit === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : 'auto' },
    },
  )
  if (elicit !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => elicit({ ...params }))
  await client.connect(here)
  onTestFinished(async () => {
    await client.close()
    await handle.close()
  })
  return client
}

/** The text of a result. */
export function textOf({ content }: { readonly content?: unknown }): string {
  const parts = Array.isArray(content) ? (content as readonly { readonly text?: string }[]) : []
  return parts.map(({ text = '' }) => text).join('\n')
}
