// Tests webSocketTransport between Node's own WebSocket and a server of the package `ws`.
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import type { AddressInfo } from 'node:net'
import { catchError, defer, filter, ignoreElements, map, merge, mergeMap, of, take, tap, toArray } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket as WsSocket, WebSocketServer } from 'ws'
import { connect, connectOnce, eventsOf, webSocketTransport } from '../../../lib/client.ts'
import type { ReconnectingClient, Transport } from '../../../lib/client.ts'
import { textDeltas, untilSettled } from '../../../lib/operators/index.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createServer } from '../../../lib/server/create-server.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { Failure } from '../../../lib/streams/values/failure.ts'
import { resultOf } from '../../support/result-of.ts'
import { valuesOf } from '../../support/values-of.ts'

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0).reverse()) close()
})

type OnSocket = (socket: WsSocket, count: number) => void

/** A WebSocket server on a free port; resolves to its URL. */
async function listen(onSocket: OnSocket, options: { readonly maxPayload?: number } = {}): Promise<string> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, ...options })
  let count = 0
  server.on('connection', (socket) => onSocket(socket, (count += 1)))
  await once(server, 'listening')
  open.push(() => {
    for (const socket of server.clients) socket.terminate()
    server.close()
  })
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** rxpi's server with sessions of a scripted model, as a handler of sockets. */
function serveSessions(text: string, pieceDelayMs = 0): (socket: WsSocket) => void {
  const model = { model: scriptedModel, provider: scripted(() => ({ text, pieceLength: 4, pieceDelayMs })) }
  const server = createServer({ sessions: { create: ({ cwd }) => createSession({ cwd, env: {}, model }) } })
  open.push(() => server.close().subscribe())
  return (socket) => webSocketTransport(() => socket).subscribe((transport) => server.connect(transport))
}

function connected(url: string): ReconnectingClient {
  const client = connect({ open: () => webSocketTransport(() => new WebSocket(url)), baseDelayMs: 1, maxDelayMs: 5 })
  open.push(() => client.close())
  return client
}

/** The transport of a raw socket; the socket's other end is `ws`. */
const transportTo = (url: string): Promise<Transport> =>
  resultOf(webSocketTransport(() => new WebSocket(url))).then((transport) => {
    open.push(() => transport.close())
    return transport
  })

const failureOf = async (transport: Transport): Promise<Failure> =>
  resultOf(
    transport.lines$.pipe(
      ignoreElements(),
      catchError((failure: unknown) => of(failure as Failure)),
    ),
  )

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

describe('webSocketTransport on a real WebSocket', () => {
  it('carries a whole session', async () => {
    const url = await listen(serveSessions(longText))
    expect((await prompt(connected(url))).join('')).toBe(longText)
  })

  it('goes on after a lost connection without a gap or a repeat', async () => {
    const serve = serveSessions(longText, 2)
    const sockets: WsSocket[] = []
    const url = await listen((socket) => {
      sockets.push(socket)
      serve(socket)
    })
    let pieces = 0
    const texts = await prompt(connected(url), () => {
      pieces += 1
      if (pieces % 15 === 0) sockets.at(-1)?.terminate()
    })
    expect(texts.join('')).toBe(longText)
    expect(sockets.length).toBeGreaterThan(2)
  })

  it('takes texts in many frames, and several lines in one', async () => {
    const url = await listen((socket) => {
      for (const piece of ['{"a', '":', '1}']) socket.send(piece, { fin: false })
      socket.send('')
      socket.send('one\n\ntwo\n')
    })
    const { lines$ } = await transportTo(url)
    expect(await resultOf(lines$.pipe(take(3), toArray()))).toEqual([
      { text: '{"a":1}' },
      { text: 'one' },
      { text: 'two' },
    ])
  })

  it.each([
    [4401, 'sign in first', 'The connection broke: the WebSocket closed with code 4401: sign in first'],
    [1011, '', 'The connection broke: the WebSocket closed with code 1011'],
  ])('fails with the close code %i', async (closeCode, reason, message) => {
    const url = await listen((socket) => socket.close(closeCode, reason))
    expect(await failureOf(await transportTo(url))).toMatchObject({
      code: 'disconnected',
      message,
      data: { closeCode },
    })
  })

  it('shows the code of each end to a client that reconnects', async () => {
    const url = await listen((socket, count) => socket.close(4400 + count))
    const client = connected(url)
    const failures = await resultOf(
      client.connection$.pipe(
        filter((state) => state.status === 'reconnecting'),
        map(({ failure }) => failure.data['closeCode']),
        take(2),
        toArray(),
      ),
    )
    expect(failures).toEqual([4401, 4402])
  })

  it.each([1000, 1001, undefined])('completes at the code %s', async (code) => {
    const url = await listen((socket) => socket.close(code))
    const { lines$ } = await transportTo(url)
    expect(await valuesOf(lines$)).toEqual([])
  })

  it('fails with disconnected if no server listens', async () => {
    const opening = resultOf(webSocketTransport(() => new WebSocket('ws://127.0.0.1:1')))
    await expect(opening).rejects.toMatchObject({ code: 'disconnected', data: { closeCode: 1006 } })
  })

  it('ends a client whose URL is none', () => {
    const { value } = connected('no url').connection$
    expect(value).toMatchObject({ status: 'closed', failure: { code: 'bad_request' } })
  })

  it('says when the other end has taken what waited', async () => {
    const served = new Promise<Transport>((resolve) => {
      void listen((socket) => webSocketTransport(() => socket).subscribe(resolve)).then((url) => {
        const client = new WsSocket(url)
        open.push(() => client.terminate())
        client.on('open', () => client.pause())
        client.on('error', () => undefined)
        setTimeout(() => client.resume(), 300)
      })
    })
    const transport = await served
    const line = 'x'.repeat(1024 * 1024)
    const unsent$ = defer(() => {
      for (let count = 0; count < 20; count++) transport.send(line)
      return [transport.unsent()]
    })
    const drained$ = transport.drained$.pipe(
      take(1),
      map(() => transport.unsent()),
    )
    const unsent = await resultOf(unsent$)
    expect(unsent).toBeGreaterThan(1024 * 1024)
    expect(await resultOf(drained$)).toBe(0)
  })

  it('breaks at a message over the limit of the server, and at a frame that is none', async () => {
    const ends: Promise<Failure>[] = []
    const url = await listen(
      (socket) => webSocketTransport(() => socket).subscribe((transport) => ends.push(failureOf(transport))),
      { maxPayload: 1_000 },
    )
    const transport = await transportTo(url)
    transport.send('x'.repeat(2_000))
    expect(await failureOf(transport)).toMatchObject({ data: { closeCode: 1009 } })

    const hostile = connectTcp(Number(new URL(url).port), '127.0.0.1')
    open.push(() => hostile.destroy())
    const key = Buffer.alloc(16).toString('base64')
    hostile.write(
      `GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    )
    hostile.end(Buffer.from([0xff, 0xff, 0xff, 0xff]))
    hostile.resume()
    await once(hostile, 'close')
    const failures = await Promise.all(ends)
    expect(failures.map(({ code }) => code)).toEqual(['disconnected', 'disconnected'])
    expect(failures.map(({ message }) => message)).toEqual([
      expect.stringContaining('Max payload size exceeded'),
      expect.stringContaining('Invalid WebSocket frame'),
    ])
  })

  it('greets a client of one connection, and closes with it', async () => {
    const closed: number[] = []
    const serve = serveSessions('Hello')
    const url = await listen((socket) => {
      socket.on('close', (code) => closed.push(code))
      serve(socket)
    })
    const client = connectOnce(await transportTo(url))
    expect(await resultOf(client.hello$)).toMatchObject({ type: 'hello' })
    client.close()
    await expect.poll(() => closed, { timeout: 10_000 }).toEqual([1005])
  })
})
