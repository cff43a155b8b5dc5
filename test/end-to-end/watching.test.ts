// Tests watched sessions with real processes: one of a process that is killed, and a replay.
import { expect, it } from 'vitest'
import { embedServer } from '../../lib/server/machine-server.ts'
import { createServerBackend } from '../../lib/services/backend/create-server-backend.ts'
import { workplace } from '../support/command.ts'
import { valuesOf } from '../support/values-of.ts'

/** The system reports writes of another process, or two polls a second find them; both are slow on a busy machine. */
const eventually = <Value>(value: () => Value) => expect.poll(value, { timeout: 10_000 })

it('a session is followed while another process writes it, and continued when that was killed', async () => {
  using workspace = workplace()
  const model = workspace.scripted([{ text: 'It goes on and on. '.repeat(50), pieceLength: 4, pieceDelayMs: 50 }])
  const holder = workspace.start(['--mode', 'json', '-p', 'Go', '--model', model, '--no-stdin'])
  await holder.outputText('"role":"assistant"')
  const [, session = ''] = /_([a-z2-7]{12})\.jsonl$/.exec(workspace.logs()[0]?.file ?? '') ?? []
  const env = { RXPI_HOME: workspace.home, HOME: workspace.home }
  const { client, server } = embedServer({ host: createServerBackend({ env, version: '0' }), version: '0' })
  const open = { type: 'open_session', session, cwd: workspace.folder, env } as const
  const { pid } = holder.child
  const lines: string[] = []
  client.events$(session, { after: 0 }).subscribe((event) => {
    if (event.type === 'event' && event.line !== undefined) lines.push(event.line)
  })
  const logged = (): string[] => workspace.logs()[0]?.lines.filter((line) => line.startsWith('{"seq"')) ?? []
  const [held] = await valuesOf(client.request(open))
  expect(held?.readOnly).toMatchObject({ code: 'session_locked', data: { pid } })
  await eventually(() => lines).toEqual(logged())

  holder.child.kill('SIGKILL')
  await holder.ended
  const [taken] = await valuesOf(client.request(open))
  expect(taken?.readOnly).toBeUndefined()
  await eventually(() => lines).toEqual(logged())
  expect(lines.join('\n')).toContain('"terminationReason":"crashed"')
  expect(lines.at(-1)).toContain('agent_settled')
  client.close()
  await valuesOf(server.close())
})

it('a recorded session is replayed until Ctrl-C', async () => {
  using workspace = workplace({ 'a.txt': 'one' })
  await workspace.run(['-p', 'What is in this folder?', '--model', 'demo/guide'])
  const { file = '', lines = [] } = workspace.logs()[0] ?? {}
  const whole = await workspace.run(['sessions', 'replay', file, '--speed', 'max', '--json'])
  expect(whole.code).toBe(0)
  expect(whole.stdout.trimEnd().split('\n').slice(1)).toEqual(lines.slice(1).filter((line) => line !== ''))
  const slow = workspace.start(['sessions', 'replay', file, '--speed', '0.01', '--max-pause', '3600'])
  await slow.outputText('What is in this folder?')
  slow.child.kill('SIGINT')
  const { code, stdout } = await slow.ended
  expect(code).toBe(130)
  expect(stdout).toMatch(/^── you\nWhat is in this folder\?\n/)
})
