// Tests the heartbeat of a reconnecting client: a silent connection is replaced.
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { NEVER, Subject } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createServer } from '../../../lib/server/create-server.ts'
import { linkedPair } from '../../../lib/server/protocol/linked-pair.ts'
import { reconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import { streamTransport } from '../../../lib/server/protocol/stream-transport.ts'
import type { IncomingLine, Transport } from '../../../lib/server/protocol/transport.ts'
import { fakeBackend } from '../../support/fake-backend.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const hello =
  '{"v":1,"type":"hello","server":{"name":"rxpi","version":"1","pid":1,"epoch":"a"},"protocol":{"min":1,"max":1}}'

/** Sends the greeting, and then the lines that the test passes. */
function aTransport() {
  const lines$ = new Subject<IncomingLine>()
  const sent: { readonly type: string }[] = []
  let isClosed = false
  const transport: Transport = {
    lines$,
    send: (line) => sent.push(JSON.parse(line) as { type: string }),
    unsent: () => 0,
    drained$: NEVER,
    close: () => {
      isClosed = true
    },
  }
  return { transport, lines$, sent, isClosed: () => isClosed, greet: () => lines$.next({ text: hello }) }
}

async function arrived(stream: PassThrough, text: string): Promise<void> {
  const data = once(stream, 'data')
  stream.write(text)
  await data
}

describe('the heartbeat of a client that reconnects', () => {
  function scene(options: { heartbeatMs?: number } = {}) {
    const made: ReturnType<typeof aTransport>[] = []
    const client = reconnectingClient({
      ...options,
      open: () => {
        const next = aTransport()
        made.push(next)
        setTimeout(next.greet, 0)
        return [next.transport]
      },
    })
    const states: string[] = []
    client.connection$.subscribe(({ status }) => states.push(status))
    return { client, made, states }
  }

  it('pings, and reconnects within a minute if no answer comes', () => {
    const { client, made, states } = scene()
    vi.advanceTimersByTime(29_000)
    expect(made[0]?.sent).toEqual([])
    vi.advanceTimersByTime(1_001)
    expect(made[0]?.sent).toMatchObject([{ type: 'ping' }])
    vi.advanceTimersByTime(30_000)
    vi.advanceTimersByTime(200)
    expect([made.length, made[0]?.isClosed()]).toEqual([2, true])
    expect(states).toEqual(['connecting', 'connected', 'reconnecting', 'connected'])
    client.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('holds a connection whose server answers', () => {
    const server = createServer({ host: fakeBackend(), version: '1', restAfterMs: 0 })
    const [clientEnd, serverEnd] = linkedPair()
    server.connect(serverEnd)
    const client = reconnectingClient({ open: () => [clientEnd], heartbeatMs: 1_000 })
    const states: string[] = []
    client.connection$.subscribe(({ status }) => states.push(status))
    vi.advanceTimersByTime(60_000)
    expect(states).toEqual(['connected'])
    client.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('holds a connection while a line comes slowly, until no more bytes come', async () => {
    const stream = new PassThrough()
    const client = reconnectingClient({
      open: () => [streamTransport({ input: stream, output: new PassThrough().resume() })],
      heartbeatMs: 1_000,
    })
    const states: string[] = []
    client.connection$.subscribe(({ status }) => states.push(status))
    await arrived(stream, `${hello}\n`)
    for (let second = 1; second <= 60; second += 1) {
      await arrived(stream, 'a piece of a long line')
      vi.advanceTimersByTime(1_000)
    }
    expect(states).toEqual(['connecting', 'connected'])
    vi.advanceTimersByTime(2_000)
    expect(states).toEqual(['connecting', 'connected', 'reconnecting'])
    client.close()
  })

  it('is off with heartbeatMs 0', () => {
    const { client, made } = scene({ heartbeatMs: 0 })
    vi.advanceTimersByTime(10 * 60_000)
    expect([made.length, made[0]?.sent]).toEqual([1, []])
    client.close()
  })
})
