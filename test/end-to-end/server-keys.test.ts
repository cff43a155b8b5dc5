// Tests that a client's keys do not appear in the server's output and files.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { workplace } from '../support/command.ts'
import { socketClient } from '../support/socket-server.ts'
import { startServing } from './start-serving.ts'

describe('keys that a client brings', () => {
  it('appear in no output or file of the server [S7c]', async () => {
    using workspace = workplace()
    const planted = ['sk-planted-environment', 'sk-planted-models', 'planted-header']
    const [ofEnvironment = '', ofModels = '', ofHeader = ''] = planted
    // echoes the request headers in its error, as some proxies do
    const echo = createHttpServer(({ headers }, response) => {
      response.writeHead(401).end(JSON.stringify({ error: { message: `no: ${JSON.stringify(headers)}` } }))
    }).listen(0, '127.0.0.1')
    await once(echo, 'listening')
    const { port } = echo.address() as AddressInfo
    const local = {
      api: 'openai-completions',
      baseUrl: `http://127.0.0.1:${port}`,
      apiKey: ofModels,
      models: [{ id: 'm' }],
    }
    workspace.configure('models.json', { providers: { local: { ...local, headers: { 'x-proxy-token': ofHeader } } } })
    const server = await startServing(workspace)
    const client = await socketClient(workspace.socket)
    const env = { PATH: process.env['PATH'] ?? '', OPENAI_API_KEY: ofEnvironment }
    const scripted = workspace.scripted([
      { toolCalls: [{ name: 'bash', arguments: { command: 'echo length=${#OPENAI_API_KEY}' } }] },
      { text: 'Done.' },
    ])
    for (const model of [scripted, 'local/m']) {
      const opened = await client.ask({ type: 'new_session', approve: 'auto', cwd: workspace.folder, env, model })
      const { session } = opened['result'] as { session: string }
      await client.ask({ type: 'attach', session, after: 0 })
      await client.ask({ type: 'prompt', session, text: 'x' })
      await client.frame((frame) => frame['session'] === session && JSON.stringify(frame).includes('agent_settled'))
      for (const type of ['get_state', 'get_stats', 'get_entries', 'get_context', 'export_session', 'no_such']) {
        await client.ask({ type, session })
      }
      await client.ask({ type: 'open_session', cwd: 5, env })
    }
    for (const type of ['server_status', 'list_sessions', 'ping']) await client.ask({ type, env })
    await client.ask({ type: 'doctor', cwd: workspace.folder, env })
    client.cut()
    echo.close()
    server.child.kill('SIGTERM')
    const { stdout, stderr } = await server.ended
    expect(JSON.stringify(client.frames)).toContain('authorization') // the client got the header name without its value
    expect(JSON.stringify(client.frames)).toContain(String.raw`length=0\n`) // commands get no keys of providers
    const written = workspace.stored().map((file) => readFileSync(file, 'utf8'))
    expect(written.length).toBeGreaterThan(1)
    const everything = [JSON.stringify(client.frames), stdout, stderr, ...written].join('\n')
    for (const secret of planted) expect(everything).not.toContain(secret)
  })
})
