// Tests the transports of a page: lines over any channel, and over a WebSocket.
import { NEVER, Subject, lastValueFrom } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { lineTransport } from '../../../lib/server/protocol/line-transport.ts'
import type { IncomingLine, Transport } from '../../../lib/server/protocol/transport.ts'
import { webSocketTransport } from '../../../lib/server/protocol/web-socket-transport.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { WebSocketLike } from '../../../lib/server/protocol/web-socket-transport.ts'

type Listener = (event: { readonly data: unknown }) => void

class FakeSocket implements WebSocketLike {
  readyState = 0
  bufferedAmount = 0
  readonly sent: string[] = []
  closes = 0
  readonly #listeners = new Map<string, Listener[]>()
  send(text: string): void {
    this.sent.push(text)
  }
  close(): void {
    this.closes += 1
  }
  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener])
  }
  fire(type: string, data?: unknown): void {
    if (type === 'open') this.readyState = 1
    for (const listener of this.#listeners.get(type) ?? []) listener({ data })
  }
}

interface Observed {
  readonly emitted: unknown[]
}

function observe(transport: Transport): Observed {
  const emitted: unknown[] = []
  transport.lines$.subscribe({
    next: (line: IncomingLine) => emitted.push('text' in line ? line.text : line.problem),
    error: (failure: unknown) => emitted.push(failure instanceof Failure ? [failure.code, failure.message] : failure),
    complete: () => emitted.push('complete'),
  })
  return { emitted }
}

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

function connected(): { socket: FakeSocket; transport: Transport } {
  const socket = new FakeSocket()
  const transports: Transport[] = []
  webSocketTransport(() => socket).subscribe((transport) => transports.push(transport))
  expect(transports).toEqual([])
  socket.fire('open')
  const [transport] = transports
  if (transport === undefined) throw new Error('no transport')
  return { socket, transport }
}

describe('webSocketTransport', () => {
  it('carries a line a message once it is open, and completes with the socket', async () => {
    const { socket, transport } = connected()
    socket.fire('message', 'waits')
    const { emitted } = observe(transport)
    socket.fire('message', 'comes')
    socket.fire('message', ' ')
    transport.send('goes')
    socket.fire('close')
    await tick()
    expect(socket.sent).toEqual(['goes'])
    expect(emitted).toEqual(['waits', 'comes', 'complete'])
  })

  it('fails if the socket closes before it is open', async () => {
    const socket = new FakeSocket()
    const opened = lastValueFrom(
      webSocketTransport(() => socket),
      { defaultValue: undefined },
    )
    socket.fire('close')
    await expect(opened).rejects.toMatchObject({ code: 'disconnected' })
  })

  it('closes a socket that nobody waits for any more', () => {
    const socket = new FakeSocket()
    webSocketTransport(() => socket)
      .subscribe()
      .unsubscribe()
    expect(socket.closes).toBe(1)
  })

  it('breaks at a binary message', async () => {
    const { socket, transport } = connected()
    const { emitted } = observe(transport)
    socket.fire('message', new ArrayBuffer(2))
    await tick()
    expect(emitted).toEqual([['disconnected', expect.stringContaining('no text') as string]])
  })

  it('tells when what waited has been sent', async () => {
    const { socket, transport } = connected()
    let drained = 0
    transport.drained$.subscribe(() => (drained += 1))
    socket.bufferedAmount = 7
    transport.send('x')
    transport.send('y')
    expect(transport.unsent()).toBe(7)
    socket.bufferedAmount = 0
    await new Promise((resolve) => setTimeout(resolve, 80))
    expect(drained).toBe(1)
    transport.close()
    transport.close()
    transport.send('late')
    expect([socket.closes, socket.sent]).toEqual([1, ['x', 'y']])
  })
})

describe('lineTransport', () => {
  it('fails with the channel', async () => {
    const lines$ = new Subject<string>()
    const { emitted } = observe(lineTransport({ lines$, send: () => undefined }))
    lines$.error(new Error('the worker died'))
    await tick()
    expect(emitted).toEqual([['disconnected', 'The connection broke: the worker died']])
  })

  it('disconnects if too many lines wait', async () => {
    const lines$ = new Subject<string>()
    const transport = lineTransport({ lines$, send: () => undefined })
    for (let count = 0; count <= 100_000; count++) lines$.next('x')
    await tick()
    expect(observe(transport).emitted.at(-1)).toEqual(['disconnected', 'The connection broke: 100,000 lines wait'])
  })

  it('completes both streams at close', async () => {
    const transport = lineTransport({ lines$: NEVER, send: () => undefined })
    const { emitted } = observe(transport)
    const drained = lastValueFrom(transport.drained$, { defaultValue: 'drained' })
    transport.close()
    expect(await drained).toBe('drained')
    expect(emitted).toEqual(['complete'])
  })
})
