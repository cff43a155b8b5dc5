// Connects the SDK's client with rxpi's agent in this process; each frame is checked against the schema.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RequestError, client as clientApp, methods } from '@agentclientprotocol/sdk'
import type {
  AnyMessage,
  ClientCapabilities,
  ClientContext,
  ContentBlock,
  CreateElicitationRequest,
  CreateElicitationResponse,
  InitializeResponse,
  NewSessionResponse,
  RequestPermissionRequest,
  SessionUpdate,
} from '@agentclientprotocol/sdk'
import { lastValueFrom } from 'rxjs'
import { expect, onTestFinished } from 'vitest'
import { createAgent } from '../../../app/acp/create-agent.ts'
import { createPeer } from '../../../app/acp/wire/peer.ts'
import { OpenSessions } from '../../../app/acp/session/open-sessions.ts'
import type { OfferedTerminals } from '../../../lib/server/client-tools/terminal-tools.ts'
import { connect } from '../../../lib/server/client/client.ts'
import type { Client } from '../../../lib/server/client/client.ts'
import { createEmbeddedServer } from '../../../lib/server/machine-server.ts'
import { linkedPair } from '../../../lib/server/protocol/linked-pair.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { Hooks } from '../../../lib/streams/ports/hooks.ts'
import type { AnyTool } from '../../../lib/streams/ports/tool.ts'
import { checkedStream, frameCheck } from '../../support/acp-frames.ts'
import { answerTerminals } from '../../support/acp-terminals.ts'

export interface SceneOptions {
  readonly script: Parameters<typeof scripted>[0]
  readonly tools?: readonly AnyTool[]
  readonly hooks?: Hooks
}

/** What the person at the editor does. */
export interface EditorOptions {
  readonly capabilities?: ClientCapabilities
  /** The id of the chosen option; undefined: closes the question. Default: `once`. */
  permit?(request: RequestPermissionRequest): string | undefined | Promise<string | undefined>
  /** The texts of open files, by absolute path; changed by the agent. */
  readonly files?: Map<string, string>
  /** Runs the commands of the agent. */
  readonly terminals?: OfferedTerminals
  /** The editor reads nothing after the first update until it resolves. */
  readonly reads?: Promise<void>
  elicit?(request: CreateElicitationRequest): CreateElicitationResponse | Promise<CreateElicitationResponse>
}

export interface Editor {
  readonly agent: ClientContext
  readonly initialised: InitializeResponse
  readonly updates: readonly { readonly session: string; readonly update: SessionUpdate }[]
  readonly requests: readonly RequestPermissionRequest[]
  newSession(): Promise<NewSessionResponse>
  prompt(session: string, text: string): Promise<string>
  /** The text of the chunks of a kind so far. */
  text(kind?: 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk'): string
  /** The updates of a kind so far. */
  of<Kind extends SessionUpdate['sessionUpdate']>(kind: Kind): Extract<SessionUpdate, { sessionUpdate: Kind }>[]
  /** As at the end of the editor's process. */
  close(): void
}

export interface Scene {
  readonly folder: string
  /** Another client of the same server, as the terminal UI is one. */
  client(): Client
  editor(options?: EditorOptions): Promise<Editor>
}

export function acpScene({ script, tools = [], hooks = {} }: SceneOptions): Scene {
  const folder = mkdtempSync(join(tmpdir(), 'rxpi-acp-'))
  const env = { RXPI_HOME: join(folder, 'home'), XDG_CONFIG_HOME: join(folder, 'config'), HOME: folder, RXPI_SANDBOX: 'off', RXPI_APPROVE: 'ask', RXPI_LOCAL_MODELS_MS: '0', PATH: process.env['PATH'] ?? '' } // prettier-ignore
  const provider = scripted(script)
  const { server, client: first } = createEmbeddedServer({
    env,
    session: () => ({ model: { model: scriptedModel, provider }, customTools: tools, hooks }),
  })
  const clients = [first]
  const client = (): Client => {
    const [end, serverEnd] = linkedPair()
    server.connect(serverEnd)
    const made = connect(end)
    clients.push(made)
    return made
  }
  onTestFinished(async () => {
    await lastValueFrom(first.request({ type: 'shutdown' }), { defaultValue: undefined })
    for (const each of clients) each.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, client, editor: (options = {}) => connectEditor({ folder, env, client: client() }, options) }
}

interface Surroundings {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly client: Client
}

async function connectEditor({ folder, env, client }: Surroundings, options: EditorOptions): Promise<Editor> {
  client.request({ type: 'hello', client: 'acp', ui: true, questions: true }).subscribe()
  const sessions = new OpenSessions(client)
  const [toAgent, toEditor] = [frames(), frames(options.reads)]
  const app = createAgent({
    ...{ client, sessions, env, options: {}, version: '1.2.3' },
    peer: () => (peer ??= createPeer(served.client)),
  })
  const served = app.connect({ readable: toAgent.readable, writable: toEditor.writable })
  let peer: ReturnType<typeof createPeer> | undefined
  const check = frameCheck()
  const stream = checkedStream({ readable: toEditor.readable, writable: toAgent.writable }, 'client', check)
  const editor = editorOf(options)
  const connection = editor.app.connect(stream)
  const close = (): void => {
    connection.close()
    served.close()
    sessions.close()
    client.close()
  }
  onTestFinished(() => {
    close()
    expect(check.problems).toEqual([])
  })
  const initialised = await connection.agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: options.capabilities ?? {},
  })
  return {
    ...{ ...editor, agent: connection.agent, initialised, close },
    newSession: () => connection.agent.request(methods.agent.session.new, { cwd: folder, mcpServers: [] }),
    prompt: async (sessionId, text) => {
      const prompt: ContentBlock[] = [{ type: 'text', text }]
      return (await connection.agent.request(methods.agent.session.prompt, { sessionId, prompt })).stopReason
    },
  }
}

function frames(reads?: Promise<void>): TransformStream<AnyMessage, AnyMessage> {
  return new TransformStream<AnyMessage, AnyMessage>({
    transform: async (frame, controller) => {
      if ('method' in frame) await reads
      controller.enqueue(frame)
    },
  })
}

function editorOf({ permit = () => 'once', elicit, files, terminals }: EditorOptions) {
  const updates: { session: string; update: SessionUpdate }[] = []
  const requests: RequestPermissionRequest[] = []
  const app = clientApp({ name: 'test' })
    .onNotification('session/update', ({ params: { sessionId, update } }) => {
      updates.push({ session: sessionId, update })
    })
    .onRequest('session/request_permission', async ({ params }) => {
      requests.push(params)
      const optionId = await permit(params)
      return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } }
    })
  if (files !== undefined)
    app
      .onRequest('fs/read_text_file', ({ params: { path } }) => {
        const content = files.get(path)
        if (content === undefined) throw RequestError.resourceNotFound(path)
        return { content }
      })
      .onRequest('fs/write_text_file', ({ params: { path, content } }) => {
        files.set(path, content)
      })
  if (terminals !== undefined) answerTerminals(app, terminals)
  if (elicit !== undefined) app.onRequest('elicitation/create', ({ params }) => elicit(params))
  const of: Editor['of'] = (kind) =>
    updates.flatMap(({ update }) => (update.sessionUpdate === kind ? [update as never] : []))
  const text: Editor['text'] = (kind = 'agent_message_chunk') =>
    updates
      .map(({ update }) => (update.sessionUpdate === kind && 'content' in update ? wordsOf(update.content) : ''))
      .join('')
  return { app, updates, requests, of, text }
}

function wordsOf(content: unknown): string {
  const { type, text = `[${type}]` } = content as { readonly type: string; readonly text?: string }
  return text
}
