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

  it('disconnects if too many characters wait', async () => {
    const lines$ = new Subject<string>()
    const transport = lineTransport({ lines$, send: () => undefined })
    const line = 'x'.repeat(16 * 1024 * 1024)
    for (let count = 0; count < 5; count++) lines$.next(line)
    await tick()
    expect(observe(transport).emitted.at(-1)).toEqual([
      'disconnected',
      'The connection broke: 64 Mi characters wait for a reader',
    ])
  })

  it('counts only the characters that wait', async () => {
    const lines$ = new Subject<string>()
    const transport = lineTransport({ lines$, send: () => undefined })
    const { emitted } = observe(transport)
    const line = 'x'.repeat(16 * 1024 * 1024)
    for (let count = 0; count < 10; count++) lines$.next(line)
    await tick()
    expect(emitted).toHaveLength(10)
  })

  it.each([
    ['a line of the limit', 'x'.repeat(16 * 1024 * 1024), 'text'],
    ['a longer one', 'x'.repeat(16 * 1024 * 1024 + 1), 'too_large'],
    ['one with fewer characters and more bytes', 'ä'.repeat(8 * 1024 * 1024 + 1), 'too_large'],
  ])('takes %s as text, or as too_large', (_, text, expected) => {
    const lines$ = new Subject<string>()
    const { emitted } = observe(lineTransport({ lines$, send: () => undefined }))
    lines$.next(text)
    lines$.next('next')
    expect(emitted).toHaveLength(2)
    expect(emitted[0] === text ? 'text' : emitted[0]).toBe(expected)
  })

  it('takes several lines in a message', () => {
    const lines$ = new Subject<string>()
    const { emitted } = observe(lineTransport({ lines$, send: () => undefined }))
    lines$.next('a\n\n \r\nb\n')
    lines$.next('c')
    expect(emitted).toEqual(['a', 'b', 'c'])
  })

  it('breaks at a message that is no text', async () => {
    const lines$ = new Subject<unknown>()
    const { emitted } = observe(lineTransport({ lines$: lines$ as Subject<string>, send: () => undefined }))
    lines$.next({ v: 1 })
    await tick()
    expect(emitted).toEqual([['disconnected', 'The connection broke: a message is no text']])
  })

  it('breaks if the channel cannot send', async () => {
    const send = () => {
      throw new Error('the channel is closed')
    }
    const transport = lineTransport({ lines$: NEVER, send })
    const { emitted } = observe(transport)
    transport.send('x')
    expect(emitted).toEqual([]) // never in the call itself
    await tick()
    expect(emitted).toEqual([['disconnected', 'The connection broke: the channel is closed']])
  })

  it('disconnects an end that takes nothing', async () => {
    let unsent = 0
    const transport = lineTransport({
      lines$: NEVER,
      send: ({ length }) => void (unsent += length),
      unsent: () => unsent,
    })
    const { emitted } = observe(transport)
    const line = 'x'.repeat(16 * 1024 * 1024)
    for (let count = 0; count < 6; count++) transport.send(line)
    await tick()
    expect(unsent).toBe(5 * line.length)
    expect(emitted).toEqual([['disconnected', expect.stringContaining('takes nothing') as string]])
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
