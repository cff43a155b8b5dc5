// Tests that a log which is removed or replaced during a run ends the run, and is reported to every client.
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { createServer } from '../../lib/server/create-server.ts'
import { createServerBackend } from '../../lib/services/index.ts'
import { workplace } from '../support/command.ts'
import { lineClient } from '../support/line-client.ts'
import type { LineClient } from '../support/line-client.ts'
import { valuesOf } from '../support/values-of.ts'

const bash = (command: string) => ({ text: 'Wait.', toolCalls: [{ name: 'bash', arguments: { command } }] })
/** Takes long enough for a sync to end before the run does. */
const slowly = (text: string) => ({ text, pieceLength: 1, pieceDelayMs: 100 })

describe('`rxpi -p`', () => {
  it('ends with 5 if a bash command of the model removes the state folder, and the next one begins a session [S24c]', async () => {
    using workspace = workplace()
    workspace.write('tidy.sh', `rm -rf ${workspace.home}`) // the policy refuses the command itself
    const ended = await workspace.run([
      '-p',
      'Tidy up',
      '--model',
      workspace.scripted([bash('sh tidy.sh'), slowly('All is tidy now.'), { text: 'never' }]),
    ])
    expect(ended).toMatchObject({ code: 5, stdout: '' })
    expect(ended.stderr).toMatch(/^rxpi: The log .*jsonl was removed while its session was open/m)
    expect(workspace.logs()).toEqual([])
    const next = await workspace.run(['-p', 'x', '--model', workspace.scripted([{ text: 'done' }])])
    expect([next.code, workspace.logs()]).toEqual([0, [expect.anything()]])
  })
})

describe('a server', () => {
  it.each([
    ['removed', (file: string) => rmSync(file)],
    [
      'replaced',
      (file: string) => {
        copyFileSync(file, `${file}.copy`)
        renameSync(`${file}.copy`, file)
      },
    ],
  ])(
    'whose log is %s during a run tells every client, ends the run and takes no prompt [S24c]',
    async (change, act) => {
      using workspace = workplace()
      const env = { PATH: process.env['PATH'] ?? '', RXPI_HOME: workspace.home }
      const server = createServer({ host: createServerBackend({ env, version: '1' }), version: '1' })
      const [client, other] = [lineClient(server), lineClient(server)]
      const model = workspace.scripted([bash('touch begun; sleep 0.2'), slowly('x'.repeat(600)), { text: 'never' }])
      const made = await ask(client, { type: 'new_session', approve: 'auto', cwd: workspace.folder, model, env })
      const { session } = made['result'] as { session: string }
      for (const each of [client, other]) await ask(each, { type: 'attach', session })
      expect(await ask(client, { type: 'prompt', session, text: 'Hi' })).toMatchObject({ ok: true })
      await vi.waitFor(() => expect(existsSync(`${workspace.folder}/begun`)).toBe(true), {
        timeout: 10_000,
        interval: 5,
      })

      act(workspace.logs()[0]?.file ?? '')
      for (const each of [client, other])
        await vi.waitFor(() => expect(statuses(each)).toEqual([lost(change)]), { timeout: 10_000, interval: 5 })
      expect(await ask(other, { type: 'prompt', session, text: 'lost?' })).toMatchObject({
        ok: false,
        error: { code: 'storage', message: expect.stringContaining(change) as string, data: { change } },
      })
      const late = lineClient(server)
      expect(await ask(late, { type: 'open_session', session, cwd: workspace.folder, env })).toMatchObject({
        result: { readOnly: { code: 'storage', data: { change } } },
      })
      expect(await ask(late, { type: 'get_state', session })).toMatchObject({
        result: { readOnly: { code: 'storage' } },
      })
      await valuesOf(server.close()) // every client knows about the loss, so the shutdown succeeds
    },
  )
})

let requests = 0

async function ask(client: LineClient, command: Record<string, unknown>): Promise<Record<string, unknown>> {
  const id = String((requests += 1))
  client.ask(id, command)
  await vi.waitFor(() => expect(client.answers(id)).toHaveLength(1), { timeout: 10_000, interval: 5 })
  return client.answers(id)[0] ?? {}
}

function statuses({ frames }: LineClient): unknown[] {
  return frames.flatMap(({ event }) => ((event as { type?: string } | undefined)?.type === 'status' ? [event] : []))
}

function lost(change: string): unknown {
  const message: unknown = expect.stringMatching(new RegExp(`was ${change} .*while its session was open`))
  return { type: 'status', code: 'storage', message, recoverable: false }
}
