import { createServer, get } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createSecureServer, get as getSecurely } from 'node:https'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { gatheredBody } from '../../../lib/host/http/gathered-body.ts'
import { gatherMs } from '../../../lib/host/http/gathered-body.ts'
import { selfSigned } from '../../support/self-signed.ts'

function fakeSocket(more: object = {}) {
  const told: string[] = []
  const handle = { reading: true, readStop: () => told.push('stop'), readStart: () => told.push('start'), ...more }
  return { told, handle, socket: { _handle: handle } }
}

/** A message whose pieces are written by hand; what is told of it, and of its socket, in order. */
function scene(more: { handle?: object; complete?: boolean } = {}) {
  const { told, handle, socket } = fakeSocket(more.handle)
  const body = new PassThrough()
  const message = { socket, complete: more.complete ?? false } as unknown as IncomingMessage
  const subscription = gatheredBody({ message, body }).subscribe({
    next: (bytes) => told.push(Buffer.from(bytes).toString()),
    error: (error: unknown) => told.push(String(error)),
    complete: () => told.push('complete'),
  })
  /** Each behind the one before, all of them read together. */
  const write = async (...pieces: string[]): Promise<void> => {
    for (const piece of pieces) {
      body.write(piece)
      await Promise.resolve() // as under TLS: each is told by itself
    }
    await vi.advanceTimersByTimeAsync(1)
  }
  return { told, handle, body, write, subscription }
}

describe('gatheredBody', () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({
        toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'],
      }),
  )
  afterEach(() => void vi.useRealTimers())

  it('lets a quick stream gather, each piece as it was sent, and goes on by itself', async () => {
    const { told, write } = scene()
    for (const piece of ['a', 'b', 'c']) await write(piece)
    expect(told).toEqual(['a', 'b', 'c', 'stop'])
    await vi.advanceTimersByTimeAsync(gatherMs)
    expect(told.slice(4)).toEqual(['start'])
    await write('d', 'e', 'f', 'g', 'h', 'i')
    expect(told.slice(5)).toEqual(['d', 'e', 'f', 'g', 'h', 'i', 'stop'])
    await vi.advanceTimersByTimeAsync(gatherMs)
    await write('j')
    expect(told.slice(12)).toEqual(['start', 'j'])
  })

  it('never makes a slow stream wait', async () => {
    const { told, write } = scene()
    for (const piece of ['a', 'b', 'c', 'd', 'e']) {
      await write(piece)
      await vi.advanceTimersByTimeAsync(gatherMs)
    }
    expect(told.join('')).toBe('abcde')
  })

  it('destroys the body at once where it is left, and has no timer then', async () => {
    const { body, told, write, subscription } = scene()
    for (const piece of ['a', 'b', 'c']) await write(piece)
    subscription.unsubscribe()
    expect([body.destroyed, vi.getTimerCount()]).toEqual([true, 0])
    await vi.advanceTimersByTimeAsync(gatherMs)
    expect(told).toEqual(['a', 'b', 'c', 'stop'])
  })

  it('has no timer when the body has ended, or failed', async () => {
    for (const ending of ['complete', 'Error: broken']) {
      const { body, told, write } = scene()
      for (const piece of ['a', 'b', 'c']) await write(piece)
      if (ending === 'complete') body.end()
      else body.destroy(new Error('broken'))
      await vi.advanceTimersByTimeAsync(0)
      expect([told.at(-1), vi.getTimerCount()]).toEqual([ending, 0])
    }
  })

  it.each([
    ['one whose message is complete: it may have another’s answer', { complete: true }],
    ['one that others have stopped', { handle: { reading: false } }],
    ['one that is not as this Node’s are', { handle: { readStop: undefined } }],
  ])('leaves a socket alone: %s', async (_, more) => {
    const { told, write } = scene(more)
    for (const piece of ['a', 'b', 'c', 'd']) await write(piece)
    expect(told).toEqual(['a', 'b', 'c', 'd'])
  })

  it('does not start what was stopped by others meanwhile', async () => {
    const { told, handle, write } = scene()
    for (const piece of ['a', 'b', 'c']) await write(piece)
    handle.reading = false
    await vi.advanceTimersByTimeAsync(gatherMs)
    expect(told).toEqual(['a', 'b', 'c', 'stop'])
  })
})

describe('gatheredBody on this Node', () => {
  it.each(['http', 'https'])('stops reading a socket of %s, and has everything in the end', async (protocol) => {
    let stopped = false
    const sent: number[] = []
    const answer = (_: unknown, response: ServerResponse): void => {
      response.flushHeaders()
      const write = (): void => {
        sent.push(sent.length)
        const piece = `${sent.length - 1};`
        if (stopped) response.end(piece)
        else response.write(piece, () => setImmediate(write))
      }
      write()
    }
    using certificate = selfSigned()
    const isSecure = protocol === 'https'
    const server = isSecure ? createSecureServer(certificate, answer) : createServer(answer)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    try {
      const message = await new Promise<IncomingMessage>((resolve) => {
        if (isSecure) getSecurely({ host: '127.0.0.1', port, rejectUnauthorized: false }, resolve)
        else get({ host: '127.0.0.1', port }, resolve)
      })
      const handle = Reflect.get(message.socket, '_handle') as { readStop(): number }
      const readStop = handle.readStop.bind(handle)
      handle.readStop = () => {
        stopped = true
        return readStop()
      }
      let text = ''
      await new Promise<void>((complete, error) => {
        const next = (bytes: Uint8Array): void => void (text += Buffer.from(bytes).toString())
        gatheredBody({ message, body: message }).subscribe({ next, error, complete })
      })
      expect(text).toBe(sent.map((number) => `${number};`).join(''))
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
