// Tests `rxpi abort`: it stops the run of a session at the server.
import { describe, expect, it } from 'vitest'
import { workplace } from '../support/command.ts'
import { socketClient } from '../support/socket-server.ts'
import { startServing } from './start-serving.ts'

describe('rxpi abort', () => {
  it('stops an active run, says so, and says when there is none [KEYS-abort]', async () => {
    using place = workplace()
    await startServing(place)
    const client = await socketClient(place.socket)
    const opened = await client.ask({ type: 'new_session', cwd: place.folder, env: {}, model: 'demo/guide' })
    const { session } = opened['result'] as { session: string }
    await client.ask({ type: 'prompt', session, text: 'run: sleep 600' })
    const stopped = await place.run(['abort', session])
    expect(stopped).toMatchObject({ code: 0, stdout: `Stopped the run of session ${session}\n`, stderr: '' })
    const again = await place.run(['abort', session])
    expect(again).toMatchObject({ code: 0, stdout: `Session ${session} has no active run at this server\n` })
    await place.run(['stop'])
    const without = await place.run(['abort', session])
    expect([without.code === 0, without.stderr]).toEqual([false, expect.stringContaining('No server listens')])
  })
})
