// Tests `rxpi attach`: starting a server, following a run and reconnecting.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Running, Workplace } from '../support/command.ts'
import { workplace } from '../support/command.ts'
import { socketClient } from '../support/socket-server.ts'
import { askStatus, startServing, statusOf } from './start-serving.ts'
import { isFull } from '../support/sample-size.ts'

describe('rxpi attach', () => {
  it('starts a server in the background, which inherits only folders of the environment [S7a, S7d, SOCKET-idle]', async () => {
    using workspace = workplace()
    const stored = await workspace.run(['-p', 'x', '--model', workspace.scripted([{ text: 'Well, then.' }])])
    expect(stored.code).toBe(0)
    const session = /_([a-z2-7]{12})\.jsonl$/.exec(workspace.logs()[0]?.file ?? '')?.[1] ?? ''
    const planted = 'sk-planted-3f9a7c'
    const env = { OPENAI_API_KEY: planted, MY_SECRET: planted, NODE_OPTIONS: '--no-warnings' }
    const attached = workspace.start(['attach', session], { env })
    await attached.outputText('Well, then.')
    expect(attached.stderr).toContain('started a server in the background')
    const status = await statusOf(workspace)
    expect(status).toMatchObject({ startedBy: 'client', idleExitMs: 1_800_000, clients: 2, sessions: { open: 1 } })
    const pid = Number(status['pid'])
    if (process.platform === 'linux') {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
      expect(environment.map((each) => each.split('=')[0]).sort()).toEqual(
        [
          'HOME',
          'LANG',
          'LOGNAME',
          'MALLOC_ARENA_MAX',
          'MALLOC_MMAP_THRESHOLD_',
          'MALLOC_TRIM_THRESHOLD_',
          'PATH',
          'RXPI_HOME',
          'RXPI_STARTED_BY',
          'USER',
          'XDG_CONFIG_HOME',
        ].sort(),
      )
      expect(readlinkSync(`/proc/${pid}/cwd`)).toBe('/')
      expect(execFileSync('ps', ['-o', 'sid=', '-p', String(pid)], { encoding: 'utf8' }).trim()).toBe(String(pid))
    }
    expect(statSync(`${workspace.socket}.log`).mode & 0o7777).toBe(0o600)
    attached.child.kill('SIGINT')
    expect(await attached.ended).toMatchObject({ code: 0 })
    await expect.poll(() => askStatus(workspace), { timeout: 10_000 }).toMatchObject({ pid, clients: 1 })

    const lines = workspace.start(['attach', session, '--json', '--after', '0'])
    await lines.outputText('agent_settled')
    lines.child.kill('SIGTERM')
    expect((await lines.ended).stdout.trimEnd().split('\n')).toEqual(workspace.logs()[0]?.lines)
    expect(lines.stderr).toBe('')
    await workspace.run(['stop'])
    expect(existsSync(workspace.socket)).toBe(false)
  })

  it.runIf(isFull)('starts one server if several clients start at once', async () => {
    using workspace = workplace()
    await workspace.run(['-p', 'x', '--model', workspace.scripted([{ text: 'Well, then.' }])])
    const session = /_([a-z2-7]{12})\.jsonl$/.exec(workspace.logs()[0]?.file ?? '')?.[1] ?? ''
    const attached = Array.from({ length: 4 }, () => workspace.start(['attach', session]))
    await Promise.all(attached.map((each) => each.outputText('Well, then.')))
    // a client that loses the race asks the running server for its identity, and counts as a client for that time
    const expected = { startedBy: 'client', clients: 5, sessions: { open: 1 } }
    await expect.poll(() => askStatus(workspace), { timeout: 10_000 }).toMatchObject(expected)
    for (const each of attached) each.child.kill('SIGINT')
    const ended = await Promise.all(attached.map((each) => each.ended))
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    await workspace.stop()
  })

  it('shows a run live, reconnects to a restarted server, and reports when none comes back [CLI-attach]', async () => {
    using workspace = workplace()
    const server = await startServing(workspace)
    const client = await socketClient(workspace.socket)
    const model = workspace.scripted([{ text: ['One ', 'two '], end: 'never' }])
    const opened = await client.ask({ type: 'new_session', approve: 'auto', cwd: workspace.folder, model })
    const { session } = opened['result'] as { session: string }
    const attached = workspace.start(['attach', session])
    await attached.outputText('── session')
    await client.ask({ type: 'prompt', session, text: 'Count.' })
    await attached.outputText('One two ')
    expect(attached.stdout).toMatch(/── you\nCount\.\n── scripted\/.*\nOne two $/)
    server.child.kill('SIGKILL')
    client.cut()
    await attached.outputText('lost the connection')
    await startServing(workspace)
    await attached.outputText('connected again to a restarted server')
    await attached.outputText('the server stopped while answering')
    expect(attached.stdout.split('One two')).toHaveLength(2)
    await workspace.run(['stop'])
    const { code, stderr } = await attached.ended
    expect(code).toBe(1)
    expect(stderr).toContain('rxpi:')
  })
})

describe('a run in a session that the server has open', () => {
  async function heldBy(
    workspace: Workplace,
    answers: readonly object[],
  ): Promise<{ server: Running; session: string }> {
    const server = await startServing(workspace)
    const client = await socketClient(workspace.socket)
    const model = workspace.scripted(answers)
    const opened = await client.ask({ type: 'new_session', approve: 'auto', cwd: workspace.folder, model })
    client.cut()
    return { server, session: (opened['result'] as { session: string }).session }
  }

  it.each([
    ['--session', (session: string) => ['--session', session]],
    ['-c', () => ['-c']],
  ])('executes on the server: %s [CLI-client]', async (_, choice) => {
    using workspace = workplace()
    const { session } = await heldBy(workspace, [{ text: 'From the server.' }])
    const run = await workspace.run(['-p', 'x', ...choice(session)], { env: { RXPI_SOCKET: '/nowhere/rxpi.sock' } })
    expect(run).toMatchObject({ code: 0, stdout: 'From the server.\n', stderr: '' })
    expect(workspace.logs()).toHaveLength(1)
    const expected = { clients: 1, sessions: { open: 1, running: 0 } }
    await expect.poll(() => askStatus(workspace), { timeout: 10_000 }).toMatchObject(expected)
    await workspace.stop()
  })

  it('is aborted on the server by an interrupt', async () => {
    using workspace = workplace()
    const { session } = await heldBy(workspace, [{ text: 'So', end: 'never' }])
    const run = workspace.start(['--mode', 'json', '-p', 'x', '--session', session])
    await run.outputText('message_start')
    run.child.kill('SIGINT')
    const { code, stdout } = await run.ended
    expect(code).toBe(130)
    expect(stdout).toContain('"terminationReason":"aborted"')
    const expected = { sessions: { open: 1, running: 0 } }
    await expect.poll(() => askStatus(workspace), { timeout: 10_000 }).toMatchObject(expected)
    await workspace.stop()
  })

  it('is branched, renamed and undone on the server', async () => {
    using workspace = workplace()
    const calls = [{ name: 'write', arguments: { path: 'a.txt', content: 'new' } }]
    const { session } = await heldBy(workspace, [{ toolCalls: calls }, { text: 'Done.' }])
    writeFileSync(join(workspace.folder, 'a.txt'), 'old')
    expect(await workspace.run(['-p', 'x', '--session', session])).toMatchObject({ code: 0 })
    expect(await workspace.run(['sessions', 'rename', session, 'Held'])).toMatchObject({ code: 0, stderr: '' })
    const undone = await workspace.run(['sessions', 'undo', session])
    expect(undone).toMatchObject({ code: 0, stderr: '' })
    expect(undone.stdout).toMatch(/^Undone: restored a\.txt\nSession \w{12} begins again/)
    expect(readFileSync(join(workspace.folder, 'a.txt'), 'utf8')).toBe('old')
    expect(workspace.logs()[0]?.lines.join()).toContain('"title":"Held"')
    expect(await workspace.run(['sessions', 'rm', session])).toMatchObject({ code: 1 })
    const expected = { sessions: { open: 1, running: 0 } }
    await expect.poll(() => askStatus(workspace), { timeout: 10_000 }).toMatchObject(expected)
    await workspace.stop()
  })

  it.runIf(isFull)('is refused if the process that holds the session does not listen [CLI-client]', async () => {
    using workspace = workplace()
    const server = await startServing(workspace)
    const holder = workspace.start(['-p', 'x', '--model', workspace.scripted([{ text: 'So', end: 'never' }])])
    await expect.poll(() => workspace.logs()[0]?.lines.length ?? 0, { timeout: 10_000 }).toBeGreaterThan(3)
    const refused = await workspace.run(['-c', '-p', 'y'])
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toContain(`is held by process ${holder.child.pid ?? 0}`)
    holder.child.kill('SIGINT')
    await holder.ended
    server.child.kill('SIGTERM')
    await server.ended
  })
})
