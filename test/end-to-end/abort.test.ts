// Tests `rxpi abort`: it stops the run of a session at the server.
import { describe, expect, it } from 'vitest'
import { workplace } from '../support/command.ts'
import { socketClient } from '../support/socket-server.ts'
import type { Frame } from '../support/socket-server.ts'
import { startServing } from './start-serving.ts'

describe('rxpi abort', () => {
  it('stops an active run, says so, and says when there is none [KEYS-abort, CLI-abort]', async () => {
    using workspace = workplace()
    await startServing(workspace)
    const client = await socketClient(workspace.socket)
    const opened = await client.ask({
      type: 'new_session',
      approve: 'auto',
      cwd: workspace.folder,
      env: {},
      model: 'demo/guide',
    })
    const { session } = opened['result'] as { session: string }
    await client.ask({ type: 'prompt', session, text: 'run: sleep 600' })
    const stopped = await workspace.run(['abort', session])
    expect(stopped).toMatchObject({ code: 0, stdout: `Stopped the run of session ${session}\n`, stderr: '' })
    const again = await workspace.run(['abort', session])
    expect(again).toMatchObject({ code: 0, stdout: `Session ${session} has no active run at this server\n` })
    await workspace.stop()
    const without = await workspace.run(['abort', session])
    expect([without.code === 0, without.stderr]).toEqual([false, expect.stringContaining('No server listens')])
  })

  it('says that it stopped a compaction [KEYS-abort, CLI-abort]', async () => {
    using workspace = workplace()
    const long = { text: 'word '.repeat(30_000) }
    workspace.write('script.json', JSON.stringify([long, long, { text: 'a summary', delayMs: 600_000 }]))
    await startServing(workspace)
    const client = await socketClient(workspace.socket)
    const setup = { approve: 'auto', cwd: workspace.folder, env: {}, model: 'scripted/script.json' }
    const { session } = (await client.ask({ type: 'new_session', ...setup }))['result'] as { session: string }
    await client.ask({ type: 'attach', session })
    for (const [index, text] of ['One', 'Two'].entries()) {
      await client.ask({ type: 'prompt', session, text })
      const settled = () => client.frames.filter((frame) => (frame['event'] as Frame | undefined)?.['type'] === 'agent_settled') // prettier-ignore
      await expect.poll(() => settled().length, { timeout: 10_000 }).toBe(index + 1)
    }
    const compacted = client.ask({ type: 'compact', session })
    await client.frame((frame) => (frame['event'] as Frame | undefined)?.['type'] === 'compaction_progress')
    const stopped = await workspace.run(['abort', session])
    expect(stopped).toMatchObject({
      code: 0,
      stdout: `Stopped the compaction of session ${session}; the conversation is as it was\n`,
    })
    expect(await compacted).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    client.cut()
  })

  it('names the process of `rxpi -p` and how to interrupt it, with and without a server [KEYS-abort]', async () => {
    using workspace = workplace()
    const running = workspace.start(['--model', 'demo/guide', '-p', 'run: echo begun; sleep 600'])
    await expect
      .poll(() => workspace.logs().some(({ lines }) => lines.join().includes('tool_execution_start')), {
        timeout: 15_000,
      })
      .toBe(true)
    const [, session = ''] = /_([a-z2-7]{12})\.jsonl/.exec(workspace.logs()[0]?.file ?? '') ?? []
    const pid = running.child.pid ?? 0
    const words = `Session ${session} is open in process ${pid}, which listens at no socket, like rxpi -p: press Ctrl-C in its terminal, or run kill -INT ${pid}`
    expect(await workspace.run(['abort', session])).toMatchObject({ code: 1, stdout: '', stderr: `rxpi: ${words}\n` })
    await startServing(workspace)
    expect(await workspace.run(['abort', session])).toMatchObject({ code: 1, stderr: `rxpi: ${words}\n` })
    process.kill(pid, 'SIGINT')
    expect(await running.ended).toMatchObject({ code: 130 })
    expect(await workspace.run(['abort', session])).toMatchObject({ code: 0 })
  })

  it('stops the run at the server that has the session, whichever socket is named [KEYS-abort]', async () => {
    using workspace = workplace()
    await startServing(workspace)
    const client = await socketClient(workspace.socket)
    const opened = await client.ask({
      type: 'new_session',
      approve: 'auto',
      cwd: workspace.folder,
      env: {},
      model: 'demo/guide',
    })
    const { session } = opened['result'] as { session: string }
    await client.ask({ type: 'prompt', session, text: 'run: sleep 600' })
    const elsewhere = await workspace.run(['abort', session], { env: { RXPI_SOCKET: `${workspace.socket}-none` } })
    expect(elsewhere).toMatchObject({ code: 0, stdout: `Stopped the run of session ${session}\n`, stderr: '' })
  })
})
