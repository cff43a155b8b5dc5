// Tests `rxpi attach`: starting a server, following a run and reconnecting.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Running, Workplace } from '../support/command.ts'
import { workplace } from '../support/command.ts'
import { socketClient } from '../support/socket-server.ts'
import { startServing, statusOf } from './start-serving.ts'

describe('rxpi attach', () => {
  it('starts a server in the background, which inherits only folders of the environment [S7a, S7d, SOCKET-idle]', async () => {
    using place = workplace()
    const stored = await place.run(['-p', 'x', '--model', place.scripted([{ text: 'Well, then.' }])])
    expect(stored.code).toBe(0)
    const session = /_([a-z2-7]{12})\.jsonl$/.exec(place.logs()[0]?.file ?? '')?.[1] ?? ''
    const planted = 'sk-planted-3f9a7c'
    const env = { OPENAI_API_KEY: planted, MY_SECRET: planted, NODE_OPTIONS: '--no-warnings' }
    const attached = place.start(['attach', session], { env })
    await attached.said('Well, then.')
    expect(attached.stderr).toContain('started a server in the background')
    const status = await statusOf(place)
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
    expect(statSync(`${place.socket}.log`).mode & 0o7777).toBe(0o600)
    attached.child.kill('SIGINT')
    expect(await attached.ended).toMatchObject({ code: 0 })
    expect(await statusOf(place)).toMatchObject({ pid, clients: 1 })

    const lines = place.start(['attach', session, '--json', '--after', '0'])
    await lines.said('agent_settled')
    lines.child.kill('SIGTERM')
    expect((await lines.ended).stdout.trimEnd().split('\n')).toEqual(place.logs()[0]?.lines)
    expect(lines.stderr).toBe('')
    await place.run(['stop'])
    expect(existsSync(place.socket)).toBe(false)
  })

  it('starts one server if several clients start at once', async () => {
    using place = workplace()
    await place.run(['-p', 'x', '--model', place.scripted([{ text: 'Well, then.' }])])
    const session = /_([a-z2-7]{12})\.jsonl$/.exec(place.logs()[0]?.file ?? '')?.[1] ?? ''
    const attached = Array.from({ length: 4 }, () => place.start(['attach', session]))
    await Promise.all(attached.map((each) => each.said('Well, then.')))
    // a client that loses the race asks the running server for its identity, and counts as a client for that time
    await expect.poll(async () => (await statusOf(place))['clients'], { timeout: 10_000 }).toBe(5)
    expect(await statusOf(place)).toMatchObject({ startedBy: 'client', clients: 5, sessions: { open: 1 } })
    for (const each of attached) each.child.kill('SIGINT')
    const ended = await Promise.all(attached.map((each) => each.ended))
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    await place.run(['stop'])
  })

  it('shows a run live, reconnects to a restarted server, and reports when none comes back [CLI-attach]', async () => {
    using place = workplace()
    const server = await startServing(place)
    const client = await socketClient(place.socket)
    const model = place.scripted([{ text: ['One ', 'two '], end: 'never' }])
    const opened = await client.ask({ type: 'new_session', approve: 'auto', cwd: place.folder, model })
    const { session } = opened['result'] as { session: string }
    const attached = place.start(['attach', session])
    await attached.said('── session')
    await client.ask({ type: 'prompt', session, text: 'Count.' })
    await attached.said('One two ')
    expect(attached.stdout).toMatch(/── you\nCount\.\n── scripted\/.*\nOne two $/)
    server.child.kill('SIGKILL')
    client.cut()
    await attached.said('lost the connection')
    await startServing(place)
    await attached.said('connected again to a restarted server')
    await attached.said('the server stopped while answering')
    expect(attached.stdout.split('One two')).toHaveLength(2)
    await place.run(['stop'])
    const { code, stderr } = await attached.ended
    expect(code).toBe(1)
    expect(stderr).toContain('rxpi:')
  })
})

describe('a run in a session that the server has open', () => {
  async function heldBy(place: Workplace, answers: readonly object[]): Promise<{ server: Running; session: string }> {
    const server = await startServing(place)
    const client = await socketClient(place.socket)
    const model = place.scripted(answers)
    const opened = await client.ask({ type: 'new_session', approve: 'auto', cwd: place.folder, model })
    client.cut()
    return { server, session: (opened['result'] as { session: string }).session }
  }

  it.each([
    ['--session', (session: string) => ['--session', session]],
    ['-c', () => ['-c']],
  ])('executes on the server: %s [CLI-client]', async (_, choice) => {
    using place = workplace()
    const { session } = await heldBy(place, [{ text: 'From the server.' }])
    const run = await place.run(['-p', 'x', ...choice(session)], { env: { RXPI_SOCKET: '/nowhere/rxpi.sock' } })
    expect(run).toMatchObject({ code: 0, stdout: 'From the server.\n', stderr: '' })
    expect(place.logs()).toHaveLength(1)
    expect(await statusOf(place)).toMatchObject({ clients: 1, sessions: { open: 1, running: 0 } })
    await place.run(['stop'])
  })

  it('is aborted on the server by an interrupt', async () => {
    using place = workplace()
    const { session } = await heldBy(place, [{ text: 'So', end: 'never' }])
    const run = place.start(['--mode', 'json', '-p', 'x', '--session', session])
    await run.said('message_start')
    run.child.kill('SIGINT')
    const { code, stdout } = await run.ended
    expect(code).toBe(130)
    expect(stdout).toContain('"terminationReason":"aborted"')
    expect(await statusOf(place)).toMatchObject({ sessions: { open: 1, running: 0 } })
    await place.run(['stop'])
  })

  it('is branched, renamed and undone on the server', async () => {
    using place = workplace()
    const calls = [{ name: 'write', arguments: { path: 'a.txt', content: 'new' } }]
    const { session } = await heldBy(place, [{ toolCalls: calls }, { text: 'Done.' }])
    writeFileSync(join(place.folder, 'a.txt'), 'old')
    expect(await place.run(['-p', 'x', '--session', session])).toMatchObject({ code: 0 })
    expect(await place.run(['sessions', 'rename', session, 'Held'])).toMatchObject({ code: 0, stderr: '' })
    const undone = await place.run(['sessions', 'undo', session])
    expect(undone).toMatchObject({ code: 0, stderr: '' })
    expect(undone.stdout).toMatch(/^Undone: restored a\.txt\nSession \w{12} begins again/)
    expect(readFileSync(join(place.folder, 'a.txt'), 'utf8')).toBe('old')
    expect(place.logs()[0]?.lines.join()).toContain('"title":"Held"')
    expect(await place.run(['sessions', 'rm', session])).toMatchObject({ code: 1 })
    expect(await statusOf(place)).toMatchObject({ sessions: { open: 1, running: 0 } })
    await place.run(['stop'])
  })

  it('is refused if the process that holds the session does not listen [CLI-client]', async () => {
    using place = workplace()
    const server = await startServing(place)
    const holder = place.start(['-p', 'x', '--model', place.scripted([{ text: 'So', end: 'never' }])])
    await expect.poll(() => place.logs()[0]?.lines.length ?? 0, { timeout: 10_000 }).toBeGreaterThan(3)
    const refused = await place.run(['-c', '-p', 'y'])
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toContain(`is held by process ${holder.child.pid ?? 0}`)
    holder.child.kill('SIGINT')
    await holder.ended
    server.child.kill('SIGTERM')
    await server.ended
  })
})
