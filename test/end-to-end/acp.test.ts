// Tests `rxpi acp` of the built command with the SDK's client over standard input and output.
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable, Writable } from 'node:stream'
import { client as clientApp, methods, ndJsonStream } from '@agentclientprotocol/sdk'
import type { ClientConnection, ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk'
import { expect, it, onTestFinished } from 'vitest'
import type { OfferedTerminals } from '../../lib/server/client-tools/terminal-tools.ts'
import { noSandbox } from '../host/sandbox/box.ts'
import { checkedStream, frameCheck } from '../support/acp-frames.ts'
import { answerTerminals } from '../support/acp-terminals.ts'
import { workplace } from '../support/command.ts'
import type { Workplace } from '../support/command.ts'
import { realTerminals } from '../support/real-terminals.ts'

const start = join(import.meta.dirname, '../../bin/start.js')

interface Editor {
  readonly child: ChildProcessWithoutNullStreams
  /** The exit code, and what standard error got. */
  readonly ended: Promise<{ readonly code: number | null; readonly errors: string }>
  readonly connection: ClientConnection
  readonly updates: SessionUpdate[]
}

interface StartOptions {
  readonly options?: readonly string[]
  /** Runs the commands of the agent. */
  readonly terminals?: OfferedTerminals
}

function startEditor(
  workspace: Workplace,
  model: string,
  { options = ['--approve', 'ask'], terminals }: StartOptions = {},
): Editor {
  const args = [start, 'acp', '--model', model, ...options]
  const child = spawn(process.execPath, args, { cwd: workspace.folder, env: { ...workspace.env } })
  let errors = ''
  child.stderr.on('data', (piece: Buffer) => (errors += piece.toString()))
  const ended = new Promise<{ code: number | null; errors: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, errors }))
  })
  const check = frameCheck()
  onTestFinished(() => {
    child.kill('SIGKILL')
    expect(check.problems).toEqual([])
    expect(check.checked).toBeGreaterThan(5)
  })
  const updates: SessionUpdate[] = []
  const app = clientApp({ name: 'test' })
    .onNotification('session/update', ({ params }) => {
      updates.push(params.update)
    })
    .onRequest('session/request_permission', () => ({ outcome: { outcome: 'selected', optionId: 'once' } }))
  if (terminals !== undefined) answerTerminals(app, terminals)
  const pipes = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>)
  return { child, ended, updates, connection: app.connect(checkedStream(pipes, 'client', check)) }
}

it('serves an editor, ends with its input, and loads the session again [ACP-stdio, ACP-method-new]', async () => {
  using workspace = workplace()
  const write = { toolCalls: [{ name: 'write', arguments: { path: 'new.txt', content: 'one\n' } }] }
  const model = workspace.scripted([write, { text: 'Written.' }])
  const { child, ended, connection, updates } = startEditor(workspace, model)
  await connection.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} })
  const { sessionId } = await connection.agent.request(methods.agent.session.new, {
    cwd: workspace.folder,
    mcpServers: [],
  })
  // an editor that ends the agent with its descendants does not end the server
  const { pid: server } = JSON.parse(readFileSync(`${workspace.socket}.lock`, 'utf8')) as { readonly pid: number }
  const parent = execFileSync('ps', ['-o', 'ppid=', '-p', String(server)], { encoding: 'utf8' }).trim()
  expect(parent).not.toBe(String(child.pid))
  const prompt: ContentBlock[] = [{ type: 'text', text: 'write it' }]
  const { stopReason } = await connection.agent.request(methods.agent.session.prompt, { sessionId, prompt })
  expect(stopReason).toBe('end_turn')
  const done = updates.find((update) => update.sessionUpdate === 'tool_call_update' && update.status === 'completed')
  expect(done).toMatchObject({
    content: [{ type: 'diff', path: `${workspace.folder}/new.txt`, oldText: null, newText: 'one\n' }],
  })
  child.stdin.end()
  expect(await ended).toEqual({ code: 0, errors: '' })

  const again = startEditor(workspace, model)
  await again.connection.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} })
  await again.connection.agent.request(methods.agent.session.load, { sessionId, cwd: workspace.folder, mcpServers: [] })
  const texts = again.updates.flatMap((update) =>
    'content' in update && update.content !== null && 'text' in update.content
      ? [[update.sessionUpdate, update.content.text]]
      : [],
  )
  expect(texts).toEqual([
    ['user_message_chunk', 'write it'],
    ['agent_message_chunk', 'Written.'],
  ])
  again.child.kill('SIGTERM')
  expect(await again.ended).toEqual({ code: 143, errors: '' })
})

it('answers a request whose input ends right behind it [ACP-stdio, ACP-method-initialize]', async () => {
  using workspace = workplace()
  const model = workspace.scripted([{ text: 'Quick.' }])
  const child = spawn(process.execPath, [start, 'acp', '--model', model], { cwd: workspace.folder, env: { ...workspace.env } }) // prettier-ignore
  onTestFinished(() => void child.kill('SIGKILL'))
  const frame = (id: number, method: string, params: object): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const answer = async (): Promise<{ readonly id?: number; readonly result?: { readonly sessionId?: string } }> => {
    for (;;) {
      const frame = JSON.parse((await lines.next()).value ?? '{"id":0}') as Awaited<ReturnType<typeof answer>>
      if (frame.id !== undefined) return frame
    }
  }
  child.stdin.write(frame(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} }))
  expect(await answer()).toMatchObject({ id: 1, result: { protocolVersion: 1 } })
  child.stdin.write(frame(2, 'session/new', { cwd: workspace.folder, mcpServers: [] }))
  const { sessionId } = (await answer()).result ?? {}
  child.stdin.end(frame(3, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] }))
  const usage = { totalTokens: expect.any(Number) as unknown, inputTokens: expect.any(Number) as unknown }
  expect(await answer()).toMatchObject({ id: 3, result: { stopReason: 'end_turn', usage } })
  const [code] = (await once(child, 'close')) as [number]
  expect(code).toBe(0)
})

const bash = { toolCalls: [{ name: 'bash', arguments: { command: 'echo $((40 + 2)); exit 3' } }] }

it.each<[string, string, boolean]>([
  ['outside of a sandbox', 'off', true],
  ...(noSandbox === undefined ? [['in the sandbox', 'workspace', false] satisfies [string, string, boolean]] : []),
])(
  'runs a command %s where it belongs, and shows it as a terminal [ACP-terminals, ACP-output]',
  async (_, sandbox, isEditors) => {
    using workspace = workplace()
    const model = workspace.scripted([bash, { text: 'Done.' }])
    const terminals = realTerminals({ PATH: process.env['PATH'] ?? '' })
    onTestFinished(() => terminals.end())
    const options = ['--approve', 'auto', '--sandbox', sandbox]
    const { child, ended, connection, updates } = startEditor(workspace, model, { options, terminals })
    const clientCapabilities = { terminal: true, _meta: { terminal_output: true } }
    await connection.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities })
    const session = await connection.agent.request(methods.agent.session.new, { cwd: workspace.folder, mcpServers: [] })
    const prompt: ContentBlock[] = [{ type: 'text', text: 'go' }]
    await connection.agent.request(methods.agent.session.prompt, { sessionId: session.sessionId, prompt })
    const failed = updates.find((update) => update.sessionUpdate === 'tool_call_update' && update.status === 'failed')
    expect(terminals.log.map((line) => line.split(' ')[0])).toEqual(
      isEditors ? ['create', 'exit', 'output', 'release'] : [],
    )
    if (isEditors) expect(failed).toMatchObject({ content: [{ type: 'terminal', terminalId: 'term-1' }, {}] })
    else {
      const shown = JSON.stringify(updates)
      expect(shown).toContain('terminal_info')
      expect(shown).toMatch(/"terminal_output":\{"terminal_id":"[^"]+","data":"42\\n/)
      expect(failed).toMatchObject({ _meta: { terminal_exit: { exit_code: 3, signal: null } } })
    }
    child.stdin.end()
    expect(await ended).toEqual({ code: 0, errors: '' })
  },
)

it.runIf(process.env['RXPI_FULL'] !== undefined)('is driven by acpx', { timeout: 600_000 }, () => {
  const script = join(import.meta.dirname, '../../scripts/acp/check-acp.ts')
  expect(execFileSync(process.execPath, [script], { encoding: 'utf8' })).not.toMatch(/FAILED/)
})
