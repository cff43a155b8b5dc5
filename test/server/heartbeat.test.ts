import { NEVER, Subject } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createServer } from '../../lib/server/create-server.ts'
import { linkedPair } from '../../lib/server/linked-pair.ts'
import { reconnectingClient } from '../../lib/server/reconnecting-client.ts'
import type { IncomingLine, Transport } from '../../lib/server/transport.ts'
import { fakeHost } from '../support/fake-host.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const hello =
  '{"v":1,"type":"hello","server":{"name":"rxpi","version":"1","pid":1,"epoch":"a"},"protocol":{"min":1,"max":1}}'

/** Greets and then says what its test says. */
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

  it('asks for a sign of life, and connects anew where none comes: after a minute at most', () => {
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

  it('keeps a connection whose server answers', () => {
    const server = createServer({ host: fakeHost(), version: '1', restAfterMs: 0 })
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

  it('is none where none is wanted', () => {
    const { client, made } = scene({ heartbeatMs: 0 })
    vi.advanceTimersByTime(10 * 60_000)
    expect([made.length, made[0]?.sent]).toEqual([1, []])
    client.close()
  })
})
