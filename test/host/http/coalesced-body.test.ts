// Tests the response body that reads its socket in batches.
import { createServer, get } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createSecureServer, get as getSecurely } from 'node:https'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { batchMs, coalescedBody } from '../../../lib/host/http/coalesced-body.ts'
import { selfSigned } from '../../support/self-signed.ts'

function fakeSocket(more: object = {}) {
  const log: string[] = []
  const handle = { reading: true, readStop: () => log.push('stop'), readStart: () => log.push('start'), ...more }
  return { log, handle, socket: { _handle: handle } }
}

/** A message whose pieces the test writes. It records its calls and those of its socket, in order. */
function scene(more: { handle?: object; complete?: boolean } = {}) {
  const { log, handle, socket } = fakeSocket(more.handle)
  const body = new PassThrough()
  const message = { socket, complete: more.complete ?? false } as unknown as IncomingMessage
  const subscription = coalescedBody({ message, body }).subscribe({
    next: (bytes) => log.push(Buffer.from(bytes).toString()),
    error: (error: unknown) => log.push(String(error)),
    complete: () => log.push('complete'),
  })
  /** Pieces that follow each other and are read together. */
  const write = async (...pieces: string[]): Promise<void> => {
    for (const piece of pieces) {
      body.write(piece)
      await Promise.resolve() // as under TLS: each emits separately
    }
    await vi.advanceTimersByTimeAsync(1)
  }
  return { log, handle, body, write, subscription }
}

describe('coalescedBody', () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({
        toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'],
      }),
  )
  afterEach(() => void vi.useRealTimers())

  it('batches a fast stream, emits each chunk as it was sent, and resumes by itself', async () => {
    const { log, write } = scene()
    for (const piece of ['a', 'b', 'c']) await write(piece)
    expect(log).toEqual(['a', 'b', 'c', 'stop'])
    await vi.advanceTimersByTimeAsync(batchMs)
    expect(log.slice(4)).toEqual(['start'])
    await write('d', 'e', 'f', 'g', 'h', 'i')
    expect(log.slice(5)).toEqual(['d', 'e', 'f', 'g', 'h', 'i', 'stop'])
    await vi.advanceTimersByTimeAsync(batchMs)
    await write('j')
    expect(log.slice(12)).toEqual(['start', 'j'])
  })

  it('never delays a slow stream', async () => {
    const { log, write } = scene()
    for (const piece of ['a', 'b', 'c', 'd', 'e']) {
      await write(piece)
      await vi.advanceTimersByTimeAsync(batchMs)
    }
    expect(log.join('')).toBe('abcde')
  })

  it('destroys the body and its timer on unsubscribe', async () => {
    const { body, log, write, subscription } = scene()
    for (const piece of ['a', 'b', 'c']) await write(piece)
    subscription.unsubscribe()
    expect([body.destroyed, vi.getTimerCount()]).toEqual([true, 0])
    await vi.advanceTimersByTimeAsync(batchMs)
    expect(log).toEqual(['a', 'b', 'c', 'stop'])
  })

  it('clears its timer when the body ends or fails', async () => {
    for (const ending of ['complete', 'Error: broken']) {
      const { body, log, write } = scene()
      for (const piece of ['a', 'b', 'c']) await write(piece)
      if (ending === 'complete') body.end()
      else body.destroy(new Error('broken'))
      await vi.advanceTimersByTimeAsync(0)
      expect([log.at(-1), vi.getTimerCount()]).toEqual([ending, 0])
    }
  })

  it.each([
    ['its message is complete, and it may carry another response', { complete: true }],
    ['other code has stopped it', { handle: { reading: false } }],
    ['it has no readStop, unlike those of this Node', { handle: { readStop: undefined } }],
  ])('does not pause the socket: %s', async (_, more) => {
    const { log, write } = scene(more)
    for (const piece of ['a', 'b', 'c', 'd']) await write(piece)
    expect(log).toEqual(['a', 'b', 'c', 'd'])
  })

  it('does not resume a socket that other code has paused', async () => {
    const { log, handle, write } = scene()
    for (const piece of ['a', 'b', 'c']) await write(piece)
    handle.reading = false
    await vi.advanceTimersByTimeAsync(batchMs)
    expect(log).toEqual(['a', 'b', 'c', 'stop'])
  })
})

describe('coalescedBody on this Node', () => {
  it.each(['http', 'https'])('stops reading a socket of %s, and emits every chunk', async (protocol) => {
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
        coalescedBody({ message, body: message }).subscribe({ next, error, complete })
      })
      expect(text).toBe(sent.map((number) => `${number};`).join(''))
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
