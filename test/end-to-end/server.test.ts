import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Running, Workplace } from '../support/command.ts'
import { workplace } from '../support/command.ts'
import { processesWith } from '../support/processes-with.ts'
import { socketClient } from '../support/socket-server.ts'

const root = dirname(dirname(import.meta.dirname))

/** A server in the foreground that takes connections. */
async function serving(place: Workplace, ...options: string[]): Promise<Running> {
  const running = place.start(['serve', ...options])
  await running.said('listening at')
  return running
}

const statusOf = async (place: Workplace): Promise<Record<string, unknown>> =>
  JSON.parse((await place.run(['status', '--json'])).stdout) as Record<string, unknown>

describe('rxpi serve', () => {
  it.runIf(process.platform === 'linux')('has none of its shell’s keys, however it was started', async () => {
    using place = workplace()
    const env = { OPENAI_API_KEY: 'sk-planted', GH_TOKEN: 'gh-planted', PLAIN: 'kept' }
    const server = place.start(['serve'], { env })
    await server.said('listening at')
    const environment = readFileSync(`/proc/${server.child.pid ?? 0}/environ`, 'utf8').split('\0')
    expect(environment.filter((each) => /planted/.test(each))).toEqual([])
    expect(environment).toEqual(expect.arrayContaining([`RXPI_SOCKET=${place.socket}`, 'PLAIN=kept']))
    await place.run(['stop'])
    expect((await server.ended).code).toBe(0)
  })

  it('serves until rxpi stop, and says meanwhile who it is [CLI-serve]', async () => {
    using place = workplace()
    const none = await place.run(['status', '--json'])
    expect([none.code, JSON.parse(none.stdout)]).toEqual([1, { running: false, socket: place.socket }])
    const server = await serving(place)
    expect(await statusOf(place)).toMatchObject({
      running: true,
      pid: server.child.pid,
      socket: place.socket,
      startedBy: 'person',
      clients: 1,
      sessions: { open: 0, running: 0 },
    })
    const text = await place.run(['status'])
    expect(text.stdout).toMatch(
      new RegExp(`^process   ${server.child.pid ?? 0}, version .*\nsocket    ${place.socket}\n`),
    )
    const stopped = await place.run(['stop'])
    expect([stopped.code, stopped.stdout]).toEqual([
      0,
      `Stopped process ${server.child.pid ?? 0}, which listened at ${place.socket}\n`,
    ])
    expect([existsSync(place.socket), existsSync(`${place.socket}.lock`)]).toEqual([false, false])
    const { code, stdout, stderr } = await server.ended
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(/^rxpi: listening at .*\n$/)
    expect(await place.run(['stop'])).toMatchObject({ code: 0, stderr: `rxpi: No server listens at ${place.socket}\n` })
  })

  it('is refused beside one that runs, which is named [CLI-serve]', async () => {
    using place = workplace()
    const first = await serving(place)
    const second = await place.run(['serve'])
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(
      `A server listens at ${place.socket} already: process ${first.child.pid ?? 0}, version`,
    )
    expect(await statusOf(place)).toMatchObject({ pid: first.child.pid })
    await place.run(['stop'])
  })

  it('takes the place of one that was killed [SOCKET-stale]', async () => {
    using place = workplace()
    const first = await serving(place)
    first.child.kill('SIGKILL')
    await first.ended
    expect([existsSync(place.socket), existsSync(`${place.socket}.lock`)]).toEqual([true, true])
    const second = await serving(place)
    expect(await statusOf(place)).toMatchObject({ pid: second.child.pid })
    second.child.kill('SIGTERM')
    expect((await second.ended).code).toBe(0)
  })

  it('ends by itself when nobody needed it for so long [SOCKET-idle]', async () => {
    using place = workplace()
    const server = await serving(place, '--idle-exit', '1s')
    const client = await socketClient(place.socket)
    await client.ask({ type: 'ping' })
    client.cut()
    const { code, stderr } = await server.ended
    expect(code).toBe(0)
    expect(stderr).toContain('nobody needed the server for 1 s')
    expect(existsSync(place.socket)).toBe(false)
  })

  it.each([
    ['an open folder', (folder: string) => chmodSync(folder, 0o755), 'has mode 755'],
    [
      'a file at the place of the socket',
      (folder: string) => writeFileSync(join(folder, 'rxpi.sock'), ''),
      'is no socket',
    ],
    ['a link there', (folder: string) => symlinkSync('/dev/null', join(folder, 'rxpi.sock')), 'is a symbolic link'],
  ])('refuses %s, and so does a client [S8a, S8b]', async (_, prepare, text) => {
    using place = workplace()
    mkdirSync(dirname(place.socket), { mode: 0o700 })
    prepare(dirname(place.socket))
    const refused = await Promise.all([place.run(['serve']), place.run(['status']), place.run(['stop'])])
    expect(refused.map(({ code }) => code)).toEqual([1, 1, 1])
    for (const { stderr } of refused) expect(stderr).toContain(text)
  })

  it.each(['000', '077', '777'])('has a private socket and folder under umask %s [SOCKET-private]', async (mask) => {
    using place = workplace()
    const server = place.start(['serve'], { before: `umask ${mask}` })
    await server.said('listening at')
    expect(statSync(place.socket).mode & 0o7777).toBe(0o600)
    expect(statSync(dirname(place.socket)).mode & 0o7777).toBe(0o700)
    server.child.kill('SIGTERM')
    await server.ended
  })
})

/** A model whose first answer runs a tool that does not end and does not heed SIGTERM. */
function stubborn(place: Workplace, time: string): string {
  const command = `trap '' TERM; echo begun; sleep ${time} & wait; wait`
  return place.scripted([{ text: 'Wait.', toolCalls: [{ name: 'bash', arguments: { command } }] }, { text: 'never' }])
}

describe('a signal to the server', () => {
  const marker = (): string => `${31_536_000 + process.pid}.${Math.floor(Math.random() * 1e9)}`

  it('ends its runs with events and results within 5 s [LOOP-26f]', async () => {
    using place = workplace()
    const time = marker()
    const server = await serving(place)
    const client = await socketClient(place.socket)
    const env = { PATH: process.env['PATH'] ?? '' }
    const opened = await client.ask({ type: 'new_session', cwd: place.folder, env, model: stubborn(place, time) })
    const { session } = opened['result'] as { session: string }
    await client.ask({ type: 'attach', session, after: 0 })
    await client.ask({ type: 'prompt', session, text: 'x' })
    await expect.poll(() => processesWith(time).length, { timeout: 10_000 }).toBeGreaterThan(0)
    const before = performance.now()
    server.child.kill('SIGTERM')
    const { code } = await server.ended
    expect(performance.now() - before).toBeLessThan(5_000)
    expect(code).toBe(0)
    const lines = place.logs()[0]?.lines.filter((line) => line.startsWith('{"seq":')) ?? []
    const events = lines.map((line) => (JSON.parse(line) as { event: Record<string, unknown> }).event)
    expect(events.map(({ type }) => type).slice(-3)).toEqual(['snapshot_taken', 'agent_end', 'agent_settled'])
    expect(events.find(({ type }) => type === 'tool_execution_end')).toMatchObject({ isError: true })
    expect(events.at(-2)).toMatchObject({ terminationReason: 'server_shutdown' })
    expect(client.frames.filter(({ seq }) => seq !== undefined).at(-1)).toMatchObject({
      event: { type: 'agent_settled' },
    })
    await expect.poll(() => processesWith(time), { timeout: 5_000 }).toEqual([])
    expect(existsSync(`${place.logs()[0]?.file ?? ''}.lock`)).toBe(false)
  })

  it('a second time ends it at once', async () => {
    using place = workplace()
    const time = marker()
    const server = await serving(place)
    const client = await socketClient(place.socket)
    const env = { PATH: process.env['PATH'] ?? '' }
    const opened = await client.ask({ type: 'new_session', cwd: place.folder, env, model: stubborn(place, time) })
    const { session } = opened['result'] as { session: string }
    await client.ask({ type: 'prompt', session, text: 'x' })
    await expect.poll(() => processesWith(time).length, { timeout: 10_000 }).toBeGreaterThan(0)
    server.child.kill('SIGTERM')
    await server.said('once more ends at once')
    const before = performance.now()
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(143)
    expect(performance.now() - before).toBeLessThan(1_000)
    await expect.poll(() => processesWith(time), { timeout: 5_000 }).toEqual([])
  })
})

describe('a socket that the system hands over', () => {
  it('is served, and left to the system in the end', async () => {
    using place = workplace()
    mkdirSync(dirname(place.socket), { mode: 0o700 })
    const system = createServer().listen(`${place.socket}-`)
    await once(system, 'listening')
    chmodSync(`${place.socket}-`, 0o600)
    renameSync(`${place.socket}-`, place.socket) // so that closing it here removes nothing
    const handle = (system as unknown as { _handle: { fd: number } })._handle // Node hands no listening socket on otherwise
    const server = spawn(
      '/bin/sh',
      ['-c', 'LISTEN_PID=$$ exec "$0" "$@"', process.execPath, join(root, 'bin/start.js'), 'serve'],
      {
        env: { PATH: process.env['PATH'] ?? '', HOME: place.home, RXPI_SOCKET: place.socket, LISTEN_FDS: '1' },
        stdio: ['ignore', 'ignore', 'pipe', handle.fd],
      },
    )
    const ended = once(server, 'exit')
    system.close()
    await once(system, 'close')
    expect(await statusOf(place)).toMatchObject({ pid: server.pid, startedBy: 'socket', socket: place.socket })
    expect((await place.run(['stop'])).code).toBe(0)
    expect((await ended)[0]).toBe(0)
    expect(existsSync(place.socket)).toBe(true)
  })
})

describe('rxpi rpc', () => {
  it('takes no path that the system cannot be asked about, and names its field', async () => {
    using place = workplace()
    const none = `${place.folder}\0`
    const asked = [
      { type: 'new_session', cwd: none },
      { type: 'import_session', file: '/x', cwd: none },
      { type: 'verify_session', file: none },
      { type: 'repair_session', file: none },
      { type: 'get_tree', file: none },
      { type: 'list_sessions', cwd: none },
      { type: 'run_tool', name: 'read', args: {}, cwd: none },
    ].map((command, index) => JSON.stringify({ id: String(index), ...command }))
    const { stdout } = await place.run(['rpc'], { stdin: asked.join('\n') })
    const [, ...responses] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    expect(responses).toHaveLength(asked.length)
    for (const response of responses) {
      const message = expect.stringMatching(/^(cwd|file) has a NUL/) as unknown
      expect(response).toMatchObject({ error: { code: 'bad_request', message } })
    }
  })

  it('answers every line on stdout, nothing else, and ends with its input [WIRE-lines, CLI-rpc]', async () => {
    using place = workplace()
    const asked = [
      '{"id":"1","type":"ping"}',
      'null',
      '',
      '{"id":"2","type":"nothing"}',
      `{"id":"3","type":"new_session","cwd":${JSON.stringify(place.folder)}}`,
    ]
    const { code, stdout, stderr } = await place.run(['rpc'], { stdin: asked.join('\n') })
    expect([code, stderr]).toEqual([0, ''])
    const frames = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(frames.map(({ type, id, ok }) => [type, id, ok])).toEqual([
      ['hello', undefined, undefined],
      ['response', '1', true],
      ['response', null, false],
      ['response', '2', false],
      ['response', '3', true],
    ])
  })

  it('runs a prompt while its input is open, and ends with the shutdown that it is asked for [WIRE-stdio]', async () => {
    using place = workplace()
    const rpc = place.start(['rpc'], { stdin: null })
    const ask = (request: object): unknown => rpc.child.stdin?.write(`${JSON.stringify(request)}\n`)
    ask({ id: '1', type: 'new_session', cwd: place.folder, model: place.scripted([{ text: 'Well.' }]) })
    await rpc.said('"id":"1"')
    const session = /"session":"([a-z2-7]{12})"/.exec(rpc.stdout)?.[1]
    ask({ id: '2', type: 'attach', session, after: 0 })
    ask({ id: '3', type: 'prompt', session, text: 'x' })
    await rpc.said('agent_settled')
    ask({ id: '4', type: 'shutdown' })
    const { code, stdout } = await rpc.ended
    expect(code).toBe(0)
    for (const line of stdout.trimEnd().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow()
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('{"v":1,"type":"response","id":"4","ok":true,"result":{}}')
  })

  it('speaks to the server at a socket, whose runs go on', async () => {
    using place = workplace()
    await serving(place)
    const model = place.scripted([{ text: 'So', end: 'never' }])
    const bridged = place.start(['rpc', '--socket', place.socket], { stdin: null })
    bridged.child.stdin?.write(`${JSON.stringify({ id: '1', type: 'new_session', cwd: place.folder, model })}\n`)
    await bridged.said('"id":"1"')
    const session = /"session":"([a-z2-7]{12})"/.exec(bridged.stdout)?.[1]
    bridged.child.stdin?.end(`${JSON.stringify({ id: '2', type: 'prompt', session, text: 'x' })}\nnull\n`)
    const { code, stdout, stderr } = await bridged.ended
    expect([code, stderr]).toEqual([0, ''])
    const frames = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(frames.map(({ type, id }) => [type, id])).toEqual([
      ['hello', undefined],
      ['response', '1'],
      ['response', null],
      ['response', '2'],
    ])
    expect(await statusOf(place)).toMatchObject({ clients: 1, sessions: { open: 1, running: 1 } })
    await place.run(['stop'])
    const none = await place.run(['rpc', '--socket', place.socket], { stdin: '' })
    expect([none.code, none.stdout]).toEqual([1, ''])
    expect(none.stderr).toContain('No server listens')
  })

  it('ends a run that is on when its input ends', async () => {
    using place = workplace()
    const rpc = place.start(['rpc'], { stdin: null })
    const model = place.scripted([{ text: 'So', end: 'never' }])
    rpc.child.stdin?.write(`${JSON.stringify({ id: '1', type: 'new_session', cwd: place.folder, model })}\n`)
    await rpc.said('"id":"1"')
    const session = /"session":"([a-z2-7]{12})"/.exec(rpc.stdout)?.[1]
    rpc.child.stdin?.write(`${JSON.stringify({ id: '2', type: 'prompt', session, text: 'x' })}\n`)
    await rpc.said('"id":"2"')
    rpc.child.stdin?.end()
    expect((await rpc.ended).code).toBe(0)
    expect(place.logs()[0]?.lines.join('\n')).toContain('server_shutdown')
  })
})

describe('rxpi attach', () => {
  it('starts a server in the background, which takes nothing of the environment but folders [S7a, S7d, SOCKET-idle]', async () => {
    using place = workplace()
    const kept = await place.run(['-p', 'x', '--model', place.scripted([{ text: 'Well, then.' }])])
    expect(kept.code).toBe(0)
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

  it('starts one server where several begin at once', async () => {
    using place = workplace()
    await place.run(['-p', 'x', '--model', place.scripted([{ text: 'Well, then.' }])])
    const session = /_([a-z2-7]{12})\.jsonl$/.exec(place.logs()[0]?.file ?? '')?.[1] ?? ''
    const attached = Array.from({ length: 4 }, () => place.start(['attach', session]))
    await Promise.all(attached.map((each) => each.said('Well, then.')))
    // those that began and found another there have asked it who it is: they are clients for a moment, too
    await expect.poll(async () => (await statusOf(place))['clients'], { timeout: 10_000 }).toBe(5)
    expect(await statusOf(place)).toMatchObject({ startedBy: 'client', clients: 5, sessions: { open: 1 } })
    for (const each of attached) each.child.kill('SIGINT')
    const ended = await Promise.all(attached.map((each) => each.ended))
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    await place.run(['stop'])
  })

  it('shows a run as it comes, goes on with a server that is started anew, and says when none comes back [CLI-attach]', async () => {
    using place = workplace()
    const server = await serving(place)
    const client = await socketClient(place.socket)
    const model = place.scripted([{ text: ['One ', 'two '], end: 'never' }])
    const opened = await client.ask({ type: 'new_session', cwd: place.folder, model })
    const { session } = opened['result'] as { session: string }
    const attached = place.start(['attach', session])
    await attached.said('── session')
    await client.ask({ type: 'prompt', session, text: 'Count.' })
    await attached.said('One two ')
    expect(attached.stdout).toMatch(/── you\nCount\.\n── scripted\/.*\nOne two $/)
    server.child.kill('SIGKILL')
    client.cut()
    await attached.said('the connection is lost')
    await serving(place)
    await attached.said('connected again, to a server that was started anew')
    await attached.said('crashed')
    expect(attached.stdout.split('One two')).toHaveLength(2)
    await place.run(['stop'])
    const { code, stderr } = await attached.ended
    expect(code).toBe(1)
    expect(stderr).toContain('rxpi:')
  })
})

describe('a run of a session that the server has open', () => {
  async function heldBy(place: Workplace, answers: readonly object[]): Promise<{ server: Running; session: string }> {
    const server = await serving(place)
    const client = await socketClient(place.socket)
    const model = place.scripted(answers)
    const opened = await client.ask({ type: 'new_session', cwd: place.folder, model })
    client.cut()
    return { server, session: (opened['result'] as { session: string }).session }
  }

  it.each([
    ['--session', (session: string) => ['--session', session]],
    ['-c', () => ['-c']],
  ])('runs on the server: %s [CLI-client]', async (_, choice) => {
    using place = workplace()
    const { session } = await heldBy(place, [{ text: 'From the server.' }])
    const run = await place.run(['-p', 'x', ...choice(session)], { env: { RXPI_SOCKET: '/nowhere/rxpi.sock' } })
    expect(run).toMatchObject({ code: 0, stdout: 'From the server.\n', stderr: '' })
    expect(place.logs()).toHaveLength(1)
    expect(await statusOf(place)).toMatchObject({ clients: 1, sessions: { open: 1, running: 0 } })
    await place.run(['stop'])
  })

  it('is aborted there by an interrupt', async () => {
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

  it('is branched, named and gone back in on the server', async () => {
    using place = workplace()
    const calls = [{ name: 'write', arguments: { path: 'a.txt', content: 'new' } }]
    const { session } = await heldBy(place, [{ toolCalls: calls }, { text: 'Done.' }])
    writeFileSync(join(place.folder, 'a.txt'), 'old')
    expect(await place.run(['-p', 'x', '--session', session])).toMatchObject({ code: 0 })
    expect(await place.run(['sessions', 'rename', session, 'Held'])).toMatchObject({ code: 0, stderr: '' })
    const undone = await place.run(['sessions', 'undo', session])
    expect(undone).toMatchObject({ code: 0, stderr: '' })
    expect(undone.stdout).toMatch(/put back a\.txt\n.*session \w{12} begins anew/s)
    expect(readFileSync(join(place.folder, 'a.txt'), 'utf8')).toBe('old')
    expect(place.logs()[0]?.lines.join()).toContain('"title":"Held"')
    expect(await place.run(['sessions', 'rm', session])).toMatchObject({ code: 1 })
    expect(await statusOf(place)).toMatchObject({ sessions: { open: 1, running: 0 } })
    await place.run(['stop'])
  })

  it('is refused where its holder does not listen [CLI-client]', async () => {
    using place = workplace()
    const server = await serving(place)
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

describe('keys that a client brings', () => {
  it('are in nothing that the server says or writes [S7c]', async () => {
    using place = workplace()
    const planted = ['sk-planted-environment', 'sk-planted-models', 'planted-header']
    const [ofEnvironment = '', ofModels = '', ofHeader = ''] = planted
    // it tells its clients what they sent, as some proxies do
    const echo = createHttpServer(({ headers }, response) => {
      response.writeHead(401).end(JSON.stringify({ error: { message: `no: ${JSON.stringify(headers)}` } }))
    }).listen(0, '127.0.0.1')
    await once(echo, 'listening')
    const { port } = echo.address() as AddressInfo
    const local = {
      api: 'openai-completions',
      baseUrl: `http://127.0.0.1:${port}`,
      apiKey: ofModels,
      models: [{ id: 'm' }],
    }
    place.configure('models.json', { providers: { local: { ...local, headers: { 'x-proxy-token': ofHeader } } } })
    const server = await serving(place)
    const client = await socketClient(place.socket)
    const env = { PATH: process.env['PATH'] ?? '', OPENAI_API_KEY: ofEnvironment }
    const scripted = place.scripted([
      { toolCalls: [{ name: 'bash', arguments: { command: 'echo ${#OPENAI_API_KEY}' } }] },
      { text: 'Done.' },
    ])
    for (const model of [scripted, 'local/m']) {
      const opened = await client.ask({ type: 'new_session', cwd: place.folder, env, model })
      const { session } = opened['result'] as { session: string }
      await client.ask({ type: 'attach', session, after: 0 })
      await client.ask({ type: 'prompt', session, text: 'x' })
      await client.frame((frame) => frame['session'] === session && JSON.stringify(frame).includes('agent_settled'))
      for (const type of ['get_state', 'get_stats', 'get_entries', 'get_context', 'export_session', 'no_such']) {
        await client.ask({ type, session })
      }
      await client.ask({ type: 'open_session', cwd: 5, env })
    }
    for (const type of ['server_status', 'list_sessions', 'ping']) await client.ask({ type, env })
    await client.ask({ type: 'doctor', cwd: place.folder, env })
    client.cut()
    echo.close()
    server.child.kill('SIGTERM')
    const { stdout, stderr } = await server.ended
    expect(JSON.stringify(client.frames)).toContain('authorization') // it was told, without its value
    const length = String(ofEnvironment.length)
    expect(JSON.stringify(client.frames)).toContain(`${length}\\n`) // the tool had it
    const written = place.kept().map((file) => readFileSync(file, 'utf8'))
    expect(written.length).toBeGreaterThan(1)
    const everything = [JSON.stringify(client.frames), stdout, stderr, ...written].join('\n')
    for (const secret of planted) expect(everything).not.toContain(secret)
  })
})
