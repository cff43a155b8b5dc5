// Tests a server that a person starts with keys: its providers use them, and nothing else shows them.
import { LLMock } from '@copilotkit/aimock'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { workplace } from '../support/command.ts'
import type { Workplace } from '../support/command.ts'
import { socketClient } from '../support/socket-server.ts'

const root = dirname(dirname(import.meta.dirname))
const key = 'sk-planted-at-start'

/** Starts `rxpi serve` as a container does: with these variables and no other. */
async function startClean(workspace: Workplace, env: Readonly<Record<string, string>>) {
  const variables = Object.entries({ ...workspace.env, ...env }).map((entry) => entry.join('='))
  const child = spawn('env', ['-i', ...variables, join(root, 'bin/rxpi'), 'serve'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  const listening = new Promise<void>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      if (stderr.includes('keys:')) resolve()
    })
  })
  await Promise.race([listening, once(child, 'exit')])
  return { pid: child.pid ?? 0, ended: once(child, 'exit'), stderr: () => stderr }
}

it('answers with a key of its start, which no tool, file, output or environment block shows [S7c, S7d, S7e, S7g, S30a]', async () => {
  using workspace = workplace()
  const mock = new LLMock({ port: 0, auth: { apiKeys: [key] } })
  const answers = [{ toolCalls: [{ name: 'bash', arguments: '{"command":"env"}' }] }, { content: 'With your key.' }]
  mock.on({ predicate: () => true }, () => answers.shift() ?? { content: 'no more' })
  await mock.start()
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => mock.stop())
  const server = await startClean(workspace, {
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: `${mock.url}/v1`,
    RXPI_MODEL: 'openai/gpt-test',
    NODE_OPTIONS: '--no-warnings',
  })
  expect(server.stderr()).toContain('rxpi: keys: openai, from this shell\n')
  const client = await socketClient(workspace.socket)
  const context = { cwd: workspace.folder, env: { PATH: process.env['PATH'] ?? '' } }
  const opened = await client.ask({ type: 'new_session', ...context })
  expect(opened).toMatchObject({ result: { model: { provider: 'openai', id: 'gpt-test' } } })
  const { session } = opened['result'] as { session: string }
  await client.ask({ type: 'attach', session, after: 0 })
  await client.ask({ type: 'prompt', session, text: 'x' })
  await client.frame((frame) => JSON.stringify(frame).includes('agent_settled'))
  expect(JSON.stringify(client.frames)).toContain('With your key.')
  expect(await client.ask({ type: 'auth_list', ...context, provider: 'openai' })).toMatchObject({
    result: { providers: [{ keys: [{ name: 'OPENAI_API_KEY', ofServer: true, used: true }] }] },
  })
  await client.ask({ type: 'doctor', ...context })
  const listed = await workspace.run(['auth', 'list'])
  expect(listed.stdout).toMatch(
    /^openai  environment of the server \$OPENAI_API_KEY .* used in sessions of the running server$/m,
  )
  const found = await workspace.run(['doctor'])
  expect(found.stdout).toMatch(
    /^ok    server keys    openai \(OPENAI_API_KEY\), from the shell that started the server/m,
  )
  expect(`${listed.stdout}${found.stdout}`).not.toContain(key)
  expect(server.stderr()).toContain('rxpi: NODE_OPTIONS does not reach a server; ')
  const environ = existsSync('/proc') ? readFileSync(`/proc/${server.pid}/environ`, 'utf8') : ''
  client.cut()
  expect((await workspace.run(['stop'])).code).toBe(0)
  await server.ended
  const written = workspace.stored().map((file) => readFileSync(file, 'utf8'))
  const everything = [JSON.stringify(client.frames), environ, server.stderr(), ...written].join('\n')
  expect(everything).toContain('With your key.')
  expect(everything).not.toContain(key)
})
