// Tests a client that connects to a running server, starts one, or replaces an older one.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as listenOn } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { filter, lastValueFrom, mergeMap, take } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect as connectTo } from '../../../lib/server/client/client.ts'
import type { Client } from '../../../lib/server/client/client.ts'
import { connectOrStart } from '../../../lib/server/launch/connect-or-start.ts'
import type { ConnectOrStartOptions } from '../../../lib/server/launch/connect-or-start.ts'
import { connectSocket } from '../../../lib/server/socket/connect-socket.ts'
import { createServer } from '../../../lib/server/create-server.ts'
import type { Server } from '../../../lib/server/create-server.ts'
import { serve } from '../../../lib/server/serve.ts'
import { streamTransport } from '../../../lib/server/protocol/stream-transport.ts'
import { takeSocketLock } from '../../../lib/services/locks/socket-lock.ts'
import type { ServerPlace as ServerWorkspace } from '../../../lib/server/connection/server-status.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import { resultOf } from '../../support/result-of.ts'
import { scriptedRun } from '../../support/scripted-run.ts'
import { withCompileCache } from '../../support/compile-cache.ts'
import { sampleEvents } from '../../streams/events/samples.ts'

const program = fileURLToPath(new URL('../../support/serving-process.ts', import.meta.url))
let folder: string
let socket: string
let notices: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rxpi-start-'))
  socket = join(folder, 'rxpi.sock')
  notices = []
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function reach(options: Partial<ConnectOrStartOptions> = {}): Promise<Client> {
  const command = [process.execPath, program, socket] as const
  return resultOf(
    connectOrStart({
      socket,
      command,
      env: withCompileCache({}),
      version: '2',
      onNotice: (line) => notices.push(line),
      ...options,
    }),
  )
}

/** A server in this process. */
async function served(
  workspace: ServerWorkspace & { readonly version: string; readonly build?: string },
  host = fakeBackend(),
): Promise<{ server: Server; over: Promise<unknown> }> {
  const server = createServer({ host, ...workspace })
  return new Promise((resolve, reject) => {
    const over = lastValueFrom(
      serve(server, { path: socket }).pipe(
        mergeMap(() => {
          resolve({ server, over })
          return []
        }),
      ),
      { defaultValue: 'over' },
    )
    over.catch(reject)
  })
}

async function stop(client: Client): Promise<void> {
  await resultOf(client.request({ type: 'shutdown' }))
  client.close()
}

describe('a client that needs a server', () => {
  it('starts one if none runs, and says how to end it [SOCKET-start, CLI-ui]', async () => {
    const client = await reach()
    expect(await resultOf(client.hello$)).toMatchObject({ server: { version: '2' } })
    expect(notices).toEqual([expect.stringMatching(/^started a server .* rxpi stop \(.*rxpi\.sock\.log\)$/)])
    await stop(client)
  })

  it('uses the running one', async () => {
    const { over } = await served({ version: '2', startedBy: 'person' })
    const client = await reach({ command: ['/nonexistent'] })
    expect(await resultOf(client.hello$)).toMatchObject({ server: { pid: process.pid } })
    expect(notices).toEqual([])
    await stop(client)
    await over
  })

  it('replaces an idle one of another version that a client started [SOCKET-version]', async () => {
    const { over } = await served({ version: '1', startedBy: 'client' })
    const client = await reach()
    expect(await over).toBe('over')
    const { server } = await resultOf(client.hello$)
    expect([server.version, server.pid === process.pid]).toEqual(['2', false])
    expect(notices).toEqual([
      `the server (process ${process.pid}) of version 1 made room for version 2`,
      expect.stringContaining('started a server'),
    ])
    await stop(client)
  })

  it('replaces an idle one of the same version with an older build [SOCKET-version]', async () => {
    const { over } = await served({ version: '2', build: 'aaaaaaaaaaaa', startedBy: 'client' })
    const client = await reach({ build: 'bbbbbbbbbbbb' })
    expect(await over).toBe('over')
    expect((await resultOf(client.hello$)).server.pid).not.toBe(process.pid)
    expect(notices[0]).toBe(`the server (process ${process.pid}) of version 2 made room for this build`)
    await stop(client)
  })

  it('reports another build that is in use, and uses one without a build', async () => {
    const first = await served({ version: '2', build: 'aaaaaaaaaaaa', startedBy: 'person' })
    await stop(await reach({ build: 'bbbbbbbbbbbb' }))
    expect(notices).toEqual([
      `the server (process ${process.pid}) of version 2 is not this build, and in use; rxpi stop ends it`,
    ])
    await first.over
    const second = await served({ version: '2', startedBy: 'client' })
    await stop(await reach({ build: 'bbbbbbbbbbbb', command: ['/nonexistent'] }))
    expect(notices).toHaveLength(1)
    await second.over
  })

  it.each<[string, ServerWorkspace, boolean]>([
    ['that a person started', { startedBy: 'person' }, false],
    ['that the system started', { startedBy: 'socket' }, false],
    ['that has another client', { startedBy: 'client' }, true],
  ])('uses one of another version %s, and says how to end it [SOCKET-version]', async (_, workspace, isUsed) => {
    const { over } = await served({ version: '1', ...workspace })
    const user = isUsed ? await resultOf(connectSocket(socket)) : undefined
    const client = await reach({ command: ['/nonexistent'] })
    expect(await resultOf(client.hello$)).toMatchObject({ server: { version: '1' } })
    expect(notices).toEqual([
      `the server (process ${process.pid}) of version 1 is not 2, and in use; rxpi stop ends it`,
    ])
    await stop(client)
    user?.close()
    await over
  })

  const run = scriptedRun(['a']).slice(0, 2)
  it.each<[string, readonly AgentEvent[]]>([
    ['a run', run],
    ['a job', [sampleEvents.job_start]],
    ['an open approval', [sampleEvents.ui_request]],
    ['an open question', [sampleEvents.question]],
  ])('uses one of another version that has %s, even without a client [SOCKET-version]', async (_, events) => {
    const host = fakeBackend()
    const { server, over } = await served({ version: '1', startedBy: 'client' }, host)
    const starter = connectTo(await resultOf(connectSocket(socket)))
    await resultOf(starter.request({ type: 'new_session', cwd: '/' }))
    for (const [, session] of host.sessionsById) for (const event of events) session.record(event)
    starter.close()
    await resultOf(
      server.clients$.pipe(
        filter((clients) => clients === 0),
        take(1),
      ),
    )
    const client = await reach({ command: ['/nonexistent'] })
    expect(notices).toEqual([
      `the server (process ${process.pid}) of version 1 is not 2, and in use; rxpi stop ends it`,
    ])
    await stop(client)
    await over
  })

  it.each<[string, ConnectOrStartOptions['command'], RegExp]>([
    ['cannot be started', ['/nonexistent/rxpi'], /could not be started .*ENOENT.*rxpi\.sock\.log/],
    [
      'ends at once',
      [process.execPath, '-e', 'console.error("rxpi: no room"); process.exit(3)'],
      /ended with 3: rxpi: no room; see/,
    ],
    [
      'is killed',
      [process.execPath, '-e', 'process.kill(process.pid, "SIGKILL")'],
      /ended with SIGKILL: it wrote nothing;/,
    ],
  ])('fails with the reason if one %s', async (_, command, message) => {
    await expect(reach({ command })).rejects.toMatchObject({
      code: 'no_server',
      message: expect.stringMatching(message) as unknown,
    })
    expect(readFileSync(`${socket}.log`, 'utf8')).not.toContain('undefined')
  })

  it('waits for another one that claimed the socket and is slow to listen', async () => {
    const lock = takeSocketLock(socket)
    const client = reach({ command: [process.execPath, '-e', 'console.error("rxpi: taken")'] })
    await expect.poll(() => readFileSync(`${socket}.log`, 'utf8'), { timeout: 10_000 }).toContain('rxpi: taken')
    await delay(200) // the process has ended by now; a later end makes the test easier, not harder
    const server = createServer({ host: fakeBackend(), version: '2' })
    const listener = listenOn({ allowHalfOpen: true }, (connection) => {
      server.connect(streamTransport(connection))
    }).listen(socket, () => {
      chmodSync(socket, 0o600)
    })
    expect(await resultOf((await client).hello$)).toMatchObject({ server: { pid: process.pid } })
    await stop(await client)
    await new Promise((resolve) => listener.close(resolve))
    if ('release' in lock) lock.release()
  })

  it('refuses an unsafe folder before anything is started [S8b]', async () => {
    rmSync(folder, { recursive: true })
    const unsafe = await reach({ socket: '/proc/self/fd/rxpi.sock' }).catch((error: unknown) => error)
    expect(unsafe).toMatchObject({ code: 'unsafe_socket' })
    expect(notices).toEqual([])
  })
})
