// Tests a server at a socket: greeting, shutdown, and clients that connect and disconnect.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect as dial, createServer as createListener } from 'node:net'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filter, lastValueFrom, mergeMap, take, tap } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../lib/server/client/client.ts'
import type { Client } from '../../lib/server/client/client.ts'
import { connectSocket } from '../../lib/server/socket/connect-socket.ts'
import { createServer } from '../../lib/server/create-server.ts'
import type { Server } from '../../lib/server/create-server.ts'
import { serve } from '../../lib/server/serve.ts'
import type { Transport } from '../../lib/server/protocol/transport.ts'
import { fakeBackend } from '../support/fake-backend.ts'
import { resultOf } from '../support/result-of.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rxpi-serve-'))
  path = join(folder, 'rxpi.sock')
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

interface Served {
  readonly server: Server
  /** Resolves when the server has ended. */
  readonly over: Promise<unknown>
}

async function served(): Promise<Served> {
  const server = createServer({
    host: fakeBackend(),
    version: '7',
    socket: path,
    startedBy: 'person',
    idleExitMs: 5_000,
  })
  return new Promise((resolve, reject) => {
    const over = lastValueFrom(
      serve(server, { socket: path }).pipe(
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

async function client(): Promise<Client> {
  return connect(await resultOf(connectSocket(path)))
}

const patient = { timeout: 15_000 }

describe('a server at a socket', () => {
  it('sends hello, and answers ping and server_status [COMMAND-ping]', async () => {
    const { server, over } = await served()
    const first = await client()
    const second = await client()
    const { server: greeted } = await resultOf(first.hello$)
    await resultOf(second.hello$)
    const made = await resultOf(second.request({ type: 'new_session', cwd: '/' }))
    const before = Date.now()
    expect(await resultOf(first.request({ type: 'ping' }))).toEqual({})
    const status = await resultOf(first.request({ type: 'server_status' }))
    expect(status).toMatchObject({
      pid: process.pid,
      version: '7',
      epoch: greeted.epoch,
      socket: path,
      startedBy: 'person',
      idleExitMs: 5_000,
      clients: 2,
      sessions: { open: 1, running: 0 },
    })
    expect(made.session).toMatch(/^[a-z]{12}$/)
    expect(Math.abs(status.startedAt + status.uptimeMs - before)).toBeLessThan(1_000)
    expect(status.memory.rssBytes).toBeGreaterThan(status.memory.heapUsedBytes)
    second.close()
    await resultOf(
      server.clients$.pipe(
        filter((clients) => clients === 1),
        take(1),
      ),
    )
    await resultOf(first.request({ type: 'shutdown' }))
    expect(await over).toBe('over')
    first.close()
  })

  it('ends with a client’s shutdown, and removes its socket', async () => {
    const { over } = await served()
    const asker = await client()
    await resultOf(asker.request({ type: 'shutdown' }))
    expect(await over).toBe('over')
    expect([existsSync(path), existsSync(`${path}.lock`)]).toEqual([false, false])
    await expect(client()).rejects.toMatchObject({ code: 'no_server', data: { socket: path } })
    asker.close()
  })

  it('answers every line of a client that has ended its own side, then closes', async () => {
    const { server, over } = await served()
    const socket = dial({ path, allowHalfOpen: true })
    await once(socket, 'connect')
    socket.end('{"id":"1","type":"ping"}\nnull\n{"id":"2","type":"list_sessions"}')
    const lines = (await text(socket))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.map(({ type, id, ok }) => [type, id, ok])).toEqual([
      ['hello', undefined, undefined],
      ['response', '1', true],
      ['response', null, false],
      ['response', '2', true],
    ])
    await lastValueFrom(server.close(), { defaultValue: undefined })
    await over
  })

  it('holds nothing of 300 clients that connected and left, some in the middle of a line', async () => {
    const { server, over } = await served()
    const descriptors = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0)
    const before = descriptors()
    for (let round = 0; round < 10; round += 1) {
      const clients = await Promise.all(Array.from({ length: 30 }, client))
      await Promise.all(clients.map((each) => resultOf(each.hello$)))
      const rude = dial(path)
      await once(rude, 'connect')
      rude.resume().end('{"id":"1","type":"pi')
      for (const each of clients) each.close()
    }
    await resultOf(
      server.clients$.pipe(
        filter((count) => count === 0),
        take(1),
      ),
    )
    await expect.poll(descriptors, { timeout: 10_000 }).toBeLessThanOrEqual(before)
    await lastValueFrom(server.close(), { defaultValue: undefined })
    await over
  })

  it('counts the clients until the last has left', async () => {
    const { server, over } = await served()
    const clients = await Promise.all([client(), client(), client()])
    await resultOf(
      server.clients$.pipe(
        filter((count) => count === 3),
        take(1),
      ),
    )
    for (const each of clients) each.close()
    await resultOf(
      server.clients$.pipe(
        filter((count) => count === 0),
        take(1),
      ),
    )
    await resultOf(server.quiet(1))
    await lastValueFrom(server.close(), { defaultValue: undefined })
    await over
  })
})

describe('connecting to a socket', () => {
  it('fails with no_server without a folder, without a socket, or without a listening process', async () => {
    await expect(resultOf(connectSocket(join(folder, 'none/a.sock')))).rejects.toMatchObject({ code: 'no_server' })
    await expect(resultOf(connectSocket(path))).rejects.toMatchObject({ code: 'no_server' })
  })

  it('does not connect if other users can access the folder or the socket [S8b]', async () => {
    const connections: unknown[] = []
    const stranger = createListener((socket) => connections.push(socket.destroy())).listen(path)
    await once(stranger, 'listening')
    const look = (socketMode: number, folderMode: number): Promise<Transport> => {
      chmodSync(path, socketMode)
      chmodSync(folder, folderMode)
      return resultOf(connectSocket(path))
    }
    await expect(look(0o600, 0o755)).rejects.toMatchObject({ code: 'unsafe_socket' })
    await expect(look(0o666, 0o700)).rejects.toMatchObject({ code: 'unsafe_socket' })
    expect(connections).toEqual([])
    const connected = await look(0o600, 0o700)
    await expect.poll(() => connections.length, { timeout: 10_000 }).toBe(1)
    connected.close()
    stranger.close()
    await once(stranger, 'close')
  })

  it.each([['x'.repeat(110), 'bad_request']])(
    'refuses a path that the kernel would truncate [S8c]',
    async (name, code) => {
      await expect(resultOf(connectSocket(join(folder, name)))).rejects.toMatchObject({ code })
    },
  )

  it('listens at the path of an option that was its name before', async () => {
    const server = createServer({ host: fakeBackend(), version: '1' })
    const paths: string[] = []
    const serving = serve(server, { path }).subscribe((listener) => paths.push(listener.path))
    await expect.poll(() => paths, patient).toEqual([path])
    serving.unsubscribe()
  })

  it.each<[string, object]>([
    ['without a socket', {}],
    ['with an undefined socket', { socket: undefined }],
    ['with an empty socket', { socket: '' }],
    ['with two names', { socket: '/tmp/a.sock', path: '/tmp/b.sock' }],
    ['with a descriptor alone', { descriptor: 3 }],
  ])('fails %s, and listens nowhere', async (_, options) => {
    const server = createServer({ host: fakeBackend(), version: '1' })
    const listeners: unknown[] = []
    const served$ = serve(server, options as Parameters<typeof serve>[1]).pipe(tap((each) => listeners.push(each)))
    await expect(resultOf(served$)).rejects.toMatchObject({ code: 'bad_request' })
    expect(listeners).toEqual([])
  })

  it('is not found by a client that names no socket', async () => {
    await expect(resultOf(connectSocket(undefined as never))).rejects.toMatchObject({ code: 'bad_request' })
  })
})
