// Tests a server that runs out of file descriptors: a coded error, and work that goes on.
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { workplace } from '../support/command.ts'
import type { Workplace } from '../support/command.ts'
import { socketClient } from '../support/socket-server.ts'
import type { SocketClient } from '../support/socket-server.ts'

async function serve(workspace: Workplace, options: { readonly before?: string; readonly args?: readonly string[] }) {
  const { before, args = [] } = options
  const server = workspace.start(['serve', ...args], before === undefined ? {} : { before })
  await server.outputText('listening at')
  return server
}

interface Made {
  readonly ok: boolean
  readonly result: { readonly session: string }
  readonly error: { readonly code: string; readonly message: string }
}

const make = async (client: SocketClient, workspace: Workplace): Promise<Made> =>
  (await client.ask({
    type: 'new_session',
    cwd: workspace.folder,
    model: 'demo/guide',
    env: { PATH: workspace.env['PATH'] },
  })) as unknown as Made

it('answers `overloaded`, and recovers when sessions are closed [SOCKET-descriptors]', async () => {
  using workspace = workplace()
  const server = await serve(workspace, { before: 'ulimit -n 80' })
  const client = await socketClient(workspace.socket)
  const made: string[] = []
  let answer = await make(client, workspace)
  for (; answer.ok; answer = await make(client, workspace)) made.push(answer.result.session)
  expect(answer.error).toMatchObject({ code: 'overloaded', data: { errno: 'EMFILE' } })
  expect(answer.error.message).toMatch(/^[^:]*: too many files are open; close some sessions/)
  for (const session of made.splice(0, 30))
    expect(await client.ask({ type: 'close_session', session })).toMatchObject({ result: { closed: true } })
  const { session } = (await make(client, workspace)).result
  for (const each of [session, made[0]])
    expect(await client.ask({ type: 'prompt', session: each, text: 'Hi' })).toMatchObject({ ok: true })
  client.cut()
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
})

it.runIf(process.platform === 'linux')('lets the descriptors of idle sessions go', async () => {
  using workspace = workplace()
  const server = await serve(workspace, { args: ['--rest-after', '100ms'] })
  const descriptors = (): number => readdirSync(`/proc/${server.child.pid ?? 0}/fd`).length
  const before = descriptors()
  const client = await socketClient(workspace.socket)
  for (let count = 0; count < 50; count += 1) await make(client, workspace)
  expect(descriptors()).toBeGreaterThanOrEqual(before + 50)
  client.cut()
  await expect.poll(descriptors, { timeout: 10_000, interval: 20 }).toBeLessThanOrEqual(before + 2)
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
})
