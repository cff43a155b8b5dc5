// Tests the life of a server: start, lock, socket and stop.
// Over 250 lines: one process, from its start to each of its ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Workplace } from '../support/command.ts'
import { workplace } from '../support/command.ts'
import { processesWith } from '../support/processes-with.ts'
import { socketClient } from '../support/socket-server.ts'
import { askStatus, startServing, statusOf } from './start-serving.ts'
import { isFull, sampleRows } from '../support/sample-size.ts'

const root = dirname(dirname(import.meta.dirname))

describe('rxpi serve', () => {
  it.runIf(process.platform === 'linux')(
    'shows an allow-list of its shell’s variables, and keeps no file of them [S7d, S30a, S30b]',
    async () => {
      using workspace = workplace()
      const planted = [
        'OPENAI_API_KEY',
        'github_token',
        'WORK_PAT',
        'NPM_AUTH',
        'MY_CREDENTIALS',
        'DATABASE_URL',
        'HTTP_PROXY',
      ]
      const env = Object.fromEntries([...planted, 'RXPI_PROXY_TOKEN'].map((name) => [name, 'http://planted-planted@h']))
      const server = workspace.start(['serve'], { env: { ...env, TZ: 'UTC' } })
      await server.outputText('listening at')
      const process = `/proc/${server.child.pid ?? 0}`
      const names = readFileSync(`${process}/environ`, 'utf8')
        .split('\0')
        .map((entry) => entry.split('=')[0])
      expect(names.toSorted()).toEqual([
        '',
        'HOME',
        'PATH',
        'RXPI_ENVIRONMENT_FD',
        'RXPI_HOME',
        'RXPI_SOCKET',
        'TZ',
        'XDG_CONFIG_HOME',
      ])
      const files = readdirSync(`${process}/fd`).map((name) => readlinkSync(`${process}/fd/${name}`))
      expect(files.filter((file) => file.includes('(deleted)'))).toEqual([])
      expect(readlinkSync(`${process}/fd/0`)).toBe('/dev/null')
      await workspace.stop()
      expect((await server.ended).code).toBe(0)
    },
  )

  it('serves until rxpi stop, opens no debugger on SIGUSR1, and identifies itself to rxpi status [CLI-serve, S26a]', async () => {
    using workspace = workplace()
    const none = await workspace.run(['status', '--json'])
    expect([none.code, JSON.parse(none.stdout)]).toEqual([1, { running: false, socket: workspace.socket }])
    const server = await startServing(workspace)
    server.child.kill('SIGUSR1')
    expect(await statusOf(workspace)).toMatchObject({
      running: true,
      pid: server.child.pid,
      socket: workspace.socket,
      startedBy: 'person',
      clients: 1,
      sessions: { open: 0, running: 0 },
    })
    const text = await workspace.run(['status'])
    expect(text.stdout).toMatch(
      new RegExp(`^process   ${server.child.pid ?? 0}, version .*\nsocket    ${workspace.socket}\n`),
    )
    const stopped = await workspace.run(['stop'])
    expect([stopped.code, stopped.stdout]).toEqual([
      0,
      `Stopped process ${server.child.pid ?? 0}, which listened at ${workspace.socket}\n`,
    ])
    expect([existsSync(workspace.socket), existsSync(`${workspace.socket}.lock`)]).toEqual([false, false])
    const { code, stdout, stderr } = await server.ended
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(/^rxpi: listening at .*\n$/)
    expect(await workspace.run(['stop'])).toMatchObject({
      code: 0,
      stderr: `rxpi: No server listens at ${workspace.socket}\n`,
    })
  })

  it('is found by its lock if its socket was removed', async () => {
    using workspace = workplace()
    const server = await startServing(workspace)
    const pid = server.child.pid ?? 0
    rmSync(workspace.socket)
    const status = await workspace.run(['status', '--json'])
    expect([status.code, JSON.parse(status.stdout)]).toEqual([1, { running: false, socket: workspace.socket, pid }])
    const stop = await workspace.run(['stop'])
    expect([stop.code, stop.stdout]).toEqual([1, ''])
    expect(stop.stderr).toContain(`Process ${pid} serves at ${workspace.socket}, but its socket is gone`)
    server.child.kill()
    expect(await server.ended).toMatchObject({ code: 0 })
    expect(await workspace.run(['stop'])).toMatchObject({ code: 0 })
  })

  it('is refused if another one runs, which is named [CLI-serve]', async () => {
    using workspace = workplace()
    const first = await startServing(workspace)
    const second = await workspace.run(['serve', '--http', '0'])
    expect(second.code).toBe(1)
    expect(second.stderr).not.toContain('the gateway')
    expect(second.stderr).toContain(
      `A server listens at ${workspace.socket} already: process ${first.child.pid ?? 0}, version`,
    )
    expect(await askStatus(workspace)).toMatchObject({ pid: first.child.pid })
    await workspace.stop()
  })

  it.runIf(isFull)('replaces one that was killed [SOCKET-stale]', async () => {
    using workspace = workplace()
    const first = await startServing(workspace)
    first.child.kill('SIGKILL')
    await first.ended
    expect([existsSync(workspace.socket), existsSync(`${workspace.socket}.lock`)]).toEqual([true, true])
    const second = await startServing(workspace)
    expect(await askStatus(workspace)).toMatchObject({ pid: second.child.pid })
    second.child.kill('SIGTERM')
    expect((await second.ended).code).toBe(0)
  })

  it('exits when it was idle for the configured time [SOCKET-idle]', async () => {
    using workspace = workplace()
    const server = await startServing(workspace, '--idle-exit', '1s')
    const client = await socketClient(workspace.socket)
    await client.ask({ type: 'ping' })
    client.cut()
    const { code, stderr } = await server.ended
    expect(code).toBe(0)
    expect(stderr).toContain('the server was idle for 1 s')
    expect(existsSync(workspace.socket)).toBe(false)
  })

  const unsafe: readonly [string, (folder: string) => void, string][] = [
    ['an open folder', (folder: string) => chmodSync(folder, 0o755), 'has mode 755'],
    [
      'a file in place of the socket',
      (folder: string) => writeFileSync(join(folder, 'rxpi.sock'), ''),
      'is not a socket',
    ],
    [
      'a link in place of the socket',
      (folder: string) => symlinkSync('/dev/null', join(folder, 'rxpi.sock')),
      'is a symbolic link',
    ],
  ]
  it.each(sampleRows(unsafe, 1))('refuses %s, as does a client [S8a, S8b]', async (_, prepare, text) => {
    using workspace = workplace()
    mkdirSync(dirname(workspace.socket), { mode: 0o700 })
    prepare(dirname(workspace.socket))
    const refused = await Promise.all([workspace.run(['serve']), workspace.run(['status']), workspace.run(['stop'])])
    expect(refused.map(({ code }) => code)).toEqual([1, 1, 1])
    for (const { stderr } of refused) expect(stderr).toContain(text)
  })

  it.each(sampleRows(['000', '077', '777'], 1))(
    'has a private socket and folder under umask %s [SOCKET-private]',
    async (mask) => {
      using workspace = workplace()
      const server = workspace.start(['serve'], { before: `umask ${mask}` })
      await server.outputText('listening at')
      expect(statSync(workspace.socket).mode & 0o7777).toBe(0o600)
      expect(statSync(dirname(workspace.socket)).mode & 0o7777).toBe(0o700)
      server.child.kill('SIGTERM')
      await server.ended
    },
  )
})

/** A model whose first answer runs an endless tool that ignores SIGTERM. */
function stubborn(workspace: Workplace, time: string): string {
  const command = `trap '' TERM; echo begun; sleep ${time} & wait; wait`
  return workspace.scripted([
    { text: 'Wait.', toolCalls: [{ name: 'bash', arguments: { command } }] },
    { text: 'never' },
  ])
}

describe('a signal to the server', () => {
  const marker = (): string => `${31_536_000 + process.pid}.${Math.floor(Math.random() * 1e9)}`

  it('ends its runs with events and results within 5 s [LOOP-26f]', async () => {
    using workspace = workplace()
    const time = marker()
    const server = await startServing(workspace)
    const client = await socketClient(workspace.socket)
    const env = { PATH: process.env['PATH'] ?? '' }
    const opened = await client.ask({
      type: 'new_session',
      approve: 'auto',
      cwd: workspace.folder,
      env,
      model: stubborn(workspace, time),
    })
    const { session } = opened['result'] as { session: string }
    await client.ask({ type: 'attach', session, after: 0 })
    await client.ask({ type: 'prompt', session, text: 'x' })
    await expect.poll(() => processesWith(time).length, { timeout: 10_000 }).toBeGreaterThan(0)
    const before = performance.now()
    server.child.kill('SIGTERM')
    const { code } = await server.ended
    expect(performance.now() - before).toBeLessThan(5_000)
    expect(code).toBe(0)
    const lines = workspace.logs()[0]?.lines.filter((line) => line.startsWith('{"seq":')) ?? []
    const events = lines.map((line) => (JSON.parse(line) as { event: Record<string, unknown> }).event)
    expect(events.map(({ type }) => type).slice(-3)).toEqual(['snapshot_taken', 'agent_end', 'agent_settled'])
    expect(events.find(({ type }) => type === 'tool_execution_end')).toMatchObject({ isError: true })
    expect(events.at(-2)).toMatchObject({ terminationReason: 'server_shutdown' })
    expect(client.frames.filter(({ seq }) => seq !== undefined).at(-1)).toMatchObject({
      event: { type: 'agent_settled' },
    })
    await expect.poll(() => processesWith(time), { timeout: 10_000 }).toEqual([])
    expect(existsSync(`${workspace.logs()[0]?.file ?? ''}.lock`)).toBe(false)
  })

  it.runIf(isFull)('sent twice ends it at once', async () => {
    using workspace = workplace()
    const time = marker()
    const server = await startServing(workspace)
    const client = await socketClient(workspace.socket)
    const env = { PATH: process.env['PATH'] ?? '' }
    const opened = await client.ask({
      type: 'new_session',
      approve: 'auto',
      cwd: workspace.folder,
      env,
      model: stubborn(workspace, time),
    })
    const { session } = opened['result'] as { session: string }
    await client.ask({ type: 'prompt', session, text: 'x' })
    await expect.poll(() => processesWith(time).length, { timeout: 10_000 }).toBeGreaterThan(0)
    server.child.kill('SIGTERM')
    await server.outputText('a second signal ends the server at once')
    const before = performance.now()
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(143)
    expect(performance.now() - before).toBeLessThan(1_900) // the grace period of a tool is 2 s
    await expect.poll(() => processesWith(time), { timeout: 10_000 }).toEqual([])
  })
})

describe('a socket that systemd passes', () => {
  it('is served, and stays when the server ends', async () => {
    using workspace = workplace()
    mkdirSync(dirname(workspace.socket), { mode: 0o700 })
    const system = createServer().listen(`${workspace.socket}-`)
    await once(system, 'listening')
    chmodSync(`${workspace.socket}-`, 0o600)
    renameSync(`${workspace.socket}-`, workspace.socket) // so that close() here does not remove the socket file
    const handle = (system as unknown as { _handle: { fd: number } })._handle // Node has no public API for this
    const server = spawn('/bin/sh', ['-c', 'LISTEN_PID=$$ exec "$0" "$@"', join(root, 'bin/rxpi'), 'serve'], {
      env: { PATH: process.env['PATH'] ?? '', HOME: workspace.home, RXPI_SOCKET: workspace.socket, LISTEN_FDS: '1' },
      stdio: ['ignore', 'ignore', 'pipe', handle.fd],
    })
    const ended = once(server, 'exit')
    system.close()
    await once(system, 'close')
    expect(await statusOf(workspace)).toMatchObject({ pid: server.pid, startedBy: 'socket', socket: workspace.socket })
    expect((await workspace.run(['stop'])).code).toBe(0)
    expect((await ended)[0]).toBe(0)
    expect(existsSync(workspace.socket)).toBe(true)
  })
})
