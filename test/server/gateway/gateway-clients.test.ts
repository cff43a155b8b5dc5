// Tests clients of the gateway's WebSocket: a whole session, lost connections, limits, hostile clients.
import { once } from 'node:events'
import { filter, ignoreElements, map, merge, mergeMap, take, tap, toArray } from 'rxjs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect, eventsOf, webSocketTransport } from '../../../lib/client.ts'
import type { ReconnectingClient } from '../../../lib/client.ts'
import { textDeltas, untilSettled } from '../../../lib/operators/index.ts'
import { scripted } from '../../../lib/providers/offline/scripted.ts'
import { protocolsWithToken } from '../../../lib/server/protocol/gateway-protocols.ts'
import { resultOf } from '../../support/result-of.ts'
import {
  bearer,
  clientsOf,
  closeCode,
  nextMessage,
  openSocket,
  readToEnd,
  startGateway,
  tcp,
  token,
  upgradeStatus,
} from './gateway-scene.ts'

function connected(url: string, onSocket: (socket: WebSocket) => void = () => undefined): ReconnectingClient {
  const open$ = () =>
    webSocketTransport(() => {
      const socket = new WebSocket(url, protocolsWithToken(token))
      onSocket(socket)
      return socket
    })
  const client = connect({ open: open$, baseDelayMs: 1, maxDelayMs: 5 })
  onTestFinished(() => client.close())
  return client
}

/** Prompts a new session; resolves to the pieces of the answer. `onPiece` is called before each. */
function prompt(client: ReconnectingClient, onPiece: () => void = () => undefined): Promise<string[]> {
  return resultOf(
    client.request({ type: 'new_session', cwd: '/' }).pipe(
      mergeMap(({ session }) =>
        merge(
          client.events$(session, { after: 0 }).pipe(eventsOf(), untilSettled(), textDeltas(), tap(onPiece)),
          client.request({ type: 'prompt', session, text: 'Go' }, { opId: 'one' }).pipe(ignoreElements()),
        ),
      ),
      toArray(),
    ),
  )
}

const longText = 'äöü € 😀 '.repeat(40)
const mebibyte = 1024 * 1024

describe('a client of the gateway', () => {
  it('gets hello, a line a message, and the answers to its requests [GATEWAY-protocol]', async () => {
    const { wsUrl } = await startGateway()
    const socket = openSocket(wsUrl)
    socket.on('open', () => socket.send('{"v":1,"id":"1","type":"ping"}'))
    expect(JSON.parse(await nextMessage(socket))).toMatchObject({ type: 'hello', limits: { lineBytes: 16 * mebibyte } })
    expect(JSON.parse(await nextMessage(socket))).toEqual({ v: 1, type: 'response', id: '1', ok: true, result: {} })
    socket.send('{"v":1,"id":"2","type":"ping"}\n\n{"v":1,"id":"3","type":"ping"}\n')
    expect(JSON.parse(await nextMessage(socket))).toMatchObject({ id: '2' })
    expect(JSON.parse(await nextMessage(socket))).toMatchObject({ id: '3' })
  })

  it('sees the gateway in server_status until it has ended', async () => {
    const { url, wsUrl, server } = await startGateway()
    const client = connected(wsUrl)
    expect(await resultOf(client.request({ type: 'server_status' }))).toMatchObject({ http: url, clients: 1 })
    const remove = server.announceHttp('http://127.0.0.1:1')
    remove()
    expect(await resultOf(client.request({ type: 'server_status' }))).toMatchObject({ http: url })
  })

  it('goes on after lost connections by seq, without a gap or a repeat [GATEWAY-seq]', async () => {
    const { wsUrl } = await startGateway(
      {},
      scripted(() => ({ text: longText, pieceLength: 4, pieceDelayMs: 2 })),
    )
    const sockets: WebSocket[] = []
    const client = connected(wsUrl, (socket) => sockets.push(socket))
    let pieces = 0
    const texts = await prompt(client, () => {
      pieces += 1
      if (pieces % 15 === 0) sockets.at(-1)?.close()
    })
    expect(texts.join('')).toBe(longText)
    expect(sockets.length).toBeGreaterThan(2)
  })

  it('gets a long line whole, in pieces of memory', async () => {
    const long = 'ä😀'.repeat(mebibyte / 4)
    const { wsUrl } = await startGateway(
      {},
      scripted(() => ({ text: long, pieceLength: long.length })),
    )
    expect((await prompt(connected(wsUrl))).join('') === long).toBe(true)
  })

  it('is closed as going away when the server ends, and reconnects [GATEWAY-end]', async () => {
    const { wsUrl, server } = await startGateway()
    const socket = openSocket(wsUrl)
    await nextMessage(socket)
    const client = connected(wsUrl)
    await resultOf(client.request({ type: 'ping' }))
    const closed = closeCode(socket)
    server.close().subscribe()
    expect(await closed).toBe(1001)
    const state$ = client.connection$.pipe(
      filter(({ status }) => status === 'reconnecting'),
      map(({ status }) => status),
      take(1),
    )
    expect(await resultOf(state$)).toBe('reconnecting')
  })
})

describe('a hostile client of the gateway [S11f]', () => {
  it('is ended at a message over 16 MiB, without reading it', async () => {
    const { wsUrl, server } = await startGateway()
    const socket = openSocket(wsUrl)
    await nextMessage(socket)
    socket.send('x'.repeat(17 * mebibyte))
    expect(await closeCode(socket)).toBe(1009)
    await expect.poll(() => clientsOf(server), { timeout: 10_000 }).toBe(0)
  })

  it('is ended at a binary message, and at text that is not UTF-8', async () => {
    const { wsUrl, server } = await startGateway()
    const [binary, garbled] = [openSocket(wsUrl), openSocket(wsUrl)]
    await Promise.all([nextMessage(binary), nextMessage(garbled)])
    binary.send(Buffer.from('{"v":1,"id":"1","type":"ping"}'))
    garbled.send(Buffer.of(0xff, 0xfe), { binary: false })
    expect(await Promise.all([closeCode(binary), closeCode(garbled)])).toEqual([1003, 1007])
    await expect.poll(() => clientsOf(server), { timeout: 10_000 }).toBe(0)
  })

  it('that sends no JSON gets a coded error, and may go on', async () => {
    const { wsUrl } = await startGateway()
    const socket = openSocket(wsUrl)
    await nextMessage(socket)
    socket.send('no JSON')
    expect(JSON.parse(await nextMessage(socket))).toMatchObject({ id: null, ok: false, error: { code: 'bad_json' } })
    socket.send('{"v":1,"id":"2","type":"ping"}')
    expect(JSON.parse(await nextMessage(socket))).toMatchObject({ id: '2', ok: true })
  })

  it('that attaches before its hello is a client without a name: it may watch, and offer no tools', async () => {
    const { wsUrl } = await startGateway()
    const client = connected(wsUrl)
    const { session } = await resultOf(client.request({ type: 'new_session', cwd: '/' }))
    const socket = openSocket(wsUrl)
    const send = (id: string, command: object): void =>
      socket.send(JSON.stringify({ v: 1, id, session, type: 'attach', ...command }))
    const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }]
    socket.on('open', () => {
      send('1', { tools })
      send('2', {})
    })
    expect(JSON.parse(await nextMessage(socket))).toMatchObject({ type: 'hello' }) // that of the server comes first
    const answers = new Map<unknown, object>()
    while (answers.size < 2) {
      const { id, ...answer } = JSON.parse(await nextMessage(socket)) as { id?: string }
      if (id !== undefined) answers.set(id, answer)
    }
    expect(answers.get('1')).toMatchObject({
      ok: false,
      error: { code: 'bad_request', message: expect.stringContaining('hello') as string },
    })
    expect(answers.get('2')).toMatchObject({ ok: true })
  })

  it('that reads nothing is ended, and the others go on', async () => {
    const more = { sockets: { takesWithinMs: 200, closesWithinMs: 100 } }
    const { wsUrl, server } = await startGateway(
      more,
      scripted(() => ({ text: 'x'.repeat(16 * mebibyte), pieceLength: mebibyte })),
    )
    const other = connected(wsUrl)
    const { session } = await resultOf(other.request({ type: 'new_session', cwd: '/' }))
    const stopped = openSocket(wsUrl)
    stopped.on('open', () => stopped.send(JSON.stringify({ v: 1, id: '1', type: 'attach', session })))
    await nextMessage(stopped)
    await nextMessage(stopped)
    stopped.pause()
    await resultOf(other.request({ type: 'prompt', session, text: 'Go' }))
    await expect.poll(() => clientsOf(server), { timeout: 10_000 }).toBe(1)
    expect(await resultOf(other.request({ type: 'ping' }))).toEqual({})
  })

  it('that answers no ping is ended', async () => {
    const { wsUrl, server } = await startGateway({ sockets: { pingMs: 300, closesWithinMs: 50 } })
    const silent = openSocket(wsUrl, bearer)
    await nextMessage(silent)
    const alive = openSocket(wsUrl, bearer)
    await nextMessage(alive)
    silent.pong = () => undefined // what the package answers with
    silent.removeAllListeners('ping')
    Reflect.set(silent, '_autoPong', false)
    await expect.poll(() => clientsOf(server), { timeout: 10_000 }).toBe(1)
    alive.send('{"v":1,"id":"2","type":"ping"}')
    expect(JSON.parse(await nextMessage(alive))).toMatchObject({ id: '2' })
  })

  it('gets no place beyond the limits', async () => {
    const { wsUrl, url } = await startGateway({ maxClients: 2 })
    for (let count = 0; count < 2; count++) await nextMessage(openSocket(wsUrl))
    expect(await upgradeStatus(wsUrl, bearer)).toBe(503)
    expect((await fetch(`${url}/health`)).status).toBe(200)
  })

  it('with a thousand connections leaves the server alive', async () => {
    const { port, wsUrl, url } = await startGateway({ maxClients: 8 })
    const sockets = await Promise.all(Array.from({ length: 1_000 }, () => tcp(port)))
    await expect.poll(() => sockets.filter(({ closed }) => !closed).length, { timeout: 10_000 }).toBe(8 + 256)
    for (const socket of sockets) socket.destroy()
    await expect
      .poll(async () => (await fetch(`${url}/health`).catch(() => undefined))?.status, { timeout: 10_000 })
      .toBe(200)
    expect(JSON.parse(await nextMessage(openSocket(wsUrl)))).toMatchObject({ type: 'hello' })
  })

  it('that sends its head slowly, or a huge one, is ended', async () => {
    const { port } = await startGateway({ headersTimeoutMs: 100 })
    const slow = await tcp(port)
    slow.write('GET /health HTTP/1.1\r\nHost: local')
    expect(await readToEnd(slow)).toMatch(/^HTTP\/1\.1 408 /)
    const huge = await tcp(port)
    huge.write(`GET /ws HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(await readToEnd(huge)).toMatch(/^HTTP\/1\.1 431 /)
  })

  it('that leaves during the handshake, or sends a broken one, harms nobody', async () => {
    const { port, url, server } = await startGateway()
    const head = `GET /ws HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`
    const broken = await tcp(port)
    broken.write(`${head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n\r\n`)
    expect(await readToEnd(broken)).toMatch(/^HTTP\/1\.1 400 /)
    const leaving = await tcp(port)
    leaving.write(
      `${head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
    )
    await once(leaving, 'data')
    leaving.resetAndDestroy()
    await expect.poll(() => clientsOf(server), { timeout: 10_000 }).toBe(0)
    expect((await fetch(`${url}/health`)).status).toBe(200)
  })
})
