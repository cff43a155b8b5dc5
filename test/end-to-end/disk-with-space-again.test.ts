// Tests a disk that fills during a run and has space again: a client that only watches gets the end of the run.
import { describe, expect, it, vi } from 'vitest'
import { createServer } from '../../lib/server/create-server.ts'
import { createServerBackend } from '../../lib/services/index.ts'
import { verifyLog } from '../../lib/store/repair/verify-log.ts'
import { workplace } from '../support/command.ts'
import { done } from '../support/done.ts'
import { lineClient } from '../support/line-client.ts'
import { canMount, smallDisk } from '../support/small-disk.ts'
import { valuesOf } from '../support/values-of.ts'

describe.skipIf(!canMount())('a disk that has space again', () => {
  it('gets the end of the run by itself, and a client that only watches gets `agent_settled` [LOG-retry]', async () => {
    using workspace = workplace()
    using disk = smallDisk(workspace.home)
    const env = { PATH: process.env['PATH'] ?? '', RXPI_HOME: workspace.home }
    const server = createServer({ host: createServerBackend({ env, version: '1' }), version: '1' })
    const client = lineClient(server)
    const types = (): unknown[] => client.frames.map(({ event }) => (event as { type?: string } | undefined)?.type)
    const ask = async (id: string, command: Record<string, unknown>) => {
      client.ask(id, command)
      await vi.waitFor(() => expect(client.answers(id)).toHaveLength(1), { timeout: 10_000, interval: 5 })
      return client.answers(id)[0]?.['result'] as { session: string }
    }
    const model = workspace.scripted([{ text: 'word '.repeat(4_000), pieceLength: 400, pieceDelayMs: 1 }])
    const { session } = await ask('new', { type: 'new_session', cwd: workspace.folder, model, env })
    await ask('attach', { type: 'attach', session })
    disk.fill(8_192)
    client.ask('prompt', { type: 'prompt', session, text: 'Hi' })
    await vi.waitFor(() => expect(types()).toContain('status'), { timeout: 10_000, interval: 5 })
    expect(types()).not.toContain('agent_settled')
    disk.free()
    await vi.waitFor(() => expect(types()).toContain('agent_settled'), { timeout: 10_000, interval: 5 })
    await valuesOf(server.close())
    expect(done(verifyLog(workspace.logs()[0]?.file ?? ''))).toMatchObject({ clean: true })
  })
})
