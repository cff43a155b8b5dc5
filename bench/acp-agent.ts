// An agent of ACP in front of a server, with the same requests as the other agents.
import { once } from 'node:events'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Surroundings } from './agents.ts'
import { lineAgent } from './line-agent.ts'
import type { Dialect, LineAgent } from './line-agent.ts'

/** `rxpi acp` with one session of the server at `socket`. */
export async function acpAgent({ workspace, cwd, env }: Surroundings, socket: string): Promise<LineAgent> {
  const options = ['--socket', socket, '--model', 'openai/mock', '--thinking', 'off', '--approve', 'auto']
  const child = workspace.spawn(path.join(workspace.root, 'bin/rxpi'), ['acp', ...options], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (child.stdin === null || child.stdout === null) throw new Error('rxpi acp has no streams')
  const streams = { input: child.stdin, output: child.stdout.setEncoding('utf8') }
  await call(streams, 'initialize', { protocolVersion: 1 })
  const opened = await call(streams, 'session/new', { cwd, mcpServers: [] })
  const { sessionId } = (JSON.parse(opened) as { readonly result: { readonly sessionId: string } }).result
  return lineAgent(streams, dialectOf(sessionId))
}

/** Resolves to the line of the response. */
async function call(
  { input, output }: { readonly input: Writable; readonly output: Readable },
  method: string,
  params: object,
): Promise<string> {
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: method, method, params })}\n`)
  let text = ''
  for (;;) {
    const [piece] = (await once(output, 'data')) as [string]
    text += piece
    const lines = text.split('\n').slice(0, -1)
    const found = lines.find((line) => line.includes(`"id":"${method}"`))
    if (found !== undefined) return found
  }
}

function dialectOf(sessionId: string): Dialect {
  return {
    prompt: (text) => ({
      ...{ jsonrpc: '2.0', method: 'session/prompt' },
      params: { sessionId, prompt: [{ type: 'text', text }] },
    }),
    state: {},
    isDelta: (line) => line.includes('"sessionUpdate":"agent_message_chunk"'),
    isEnd: (line) => line.includes('"stopReason"'),
    isOutput: () => false,
  }
}
