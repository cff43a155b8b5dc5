// Tests `streamTransport`: order, batched writes, backpressure and closing.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises'
import { firstValueFrom } from 'rxjs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { streamTransport } from '../../../lib/server/protocol/stream-transport.ts'
import type { Transport } from '../../../lib/server/protocol/transport.ts'
import { isFull } from '../../support/sample-size.ts'

/** Two ends of a real socket connection. */
async function sockets(): Promise<readonly [near: Socket, far: Socket]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'socket-'))
  const listener = createServer({ allowHalfOpen: true })
  listener.listen(path.join(folder, 's'))
  await once(listener, 'listening')
  const far = connect(path.join(folder, 's'))
  const [near] = (await once(listener, 'connection')) as [Socket]
  onTestFinished(() => {
    near.destroy()
    far.destroy()
    listener.close()
    rmSync(folder, { recursive: true })
  })
  return [near, far]
}

/** Records the lines that arrive, and how the transport ends. */
function heard(transport: Transport): string[] {
  const lines: string[] = []
  transport.lines$.subscribe({
    next: (line) => lines.push('text' in line ? line.text : line.problem),
    error: (error: unknown) => lines.push(Failure.from(error).code),
    complete: () => lines.push('|'),
  })
  return lines
}

const mebibyte = 1024 * 1024

describe('streamTransport', () => {
  it('carries lines both ways, in order', async () => {
    const [near, far] = (await sockets()).map((socket) => streamTransport(socket)) as [Transport, Transport]
    const [atNear, atFar] = [heard(near), heard(far)]
    for (const line of ['1', '2', '\u2028']) far.send(line)
    near.send('a')
    await expect.poll(() => [atNear, atFar], { timeout: 10_000 }).toEqual([['1', '2', '\u2028'], ['a']])
  })

  it('works over a pair of streams', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const transport = streamTransport({ input, output })
    const lines = heard(transport)
    input.end('{"a":1}\r\n\n\nlast')
    transport.send('out')
    await expect.poll(() => lines, { timeout: 10_000 }).toEqual(['{"a":1}\r', 'last', '|'])
    transport.close()
    await once(output, 'finish')
    expect(String(output.read())).toBe('out\n')
  })

  it('joins the lines of one tick into one write', async () => {
    const [near, far] = await sockets()
    const chunks: string[] = []
    far.on('data', (chunk) => chunks.push(String(chunk)))
    const transport = streamTransport(near)
    for (let line = 0; line < 50; line++) transport.send('x')
    expect(transport.unsent()).toBe(100)
    await expect.poll(() => chunks, { timeout: 10_000 }).toEqual(['x\n'.repeat(50)])
    expect(transport.unsent()).toBe(0)
  })

  it('counts the unsent characters, and reports when all are taken', async () => {
    const [near, far] = await sockets()
    const transport = streamTransport(near)
    for (let line = 0; line < 64; line++) transport.send('y'.repeat(65_536))
    expect(transport.unsent()).toBeGreaterThan(3 * mebibyte)
    expect(near.writableLength).toBeLessThan(2 * 65_536)
    const drained = firstValueFrom(transport.drained$, { defaultValue: undefined })
    let bytes = 0
    far.on('data', (chunk: Uint8Array) => (bytes += chunk.length))
    await drained
    expect(transport.unsent()).toBe(0)
    await expect.poll(() => bytes, { timeout: 10_000 }).toBe(64 * 65_537)
  })

  it('sends a line of any length whole', async () => {
    const [near, far] = (await sockets()).map((socket) => streamTransport(socket)) as [Transport, Transport]
    const atFar = heard(far)
    const long = 'a😀'.repeat(mebibyte)
    near.send(long)
    near.send('next')
    await expect.poll(() => atFar.length, { timeout: 10_000 }).toBe(2)
    expect([atFar[0] === long, atFar[1]]).toEqual([true, 'next'])
  })

  it('disconnects an end that takes nothing after 60 s [SLOW-cut]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const output = new Writable({ write: () => undefined })
    const transport = streamTransport({ input: new PassThrough(), output })
    const lines = heard(transport)
    transport.send('z'.repeat(mebibyte))
    await turn()
    vi.advanceTimersByTime(59_000)
    await turn()
    expect(lines).toEqual([])
    vi.advanceTimersByTime(2_000)
    await turn()
    expect(lines).toEqual(['disconnected'])
  })

  it.runIf(isFull)('disconnects an end that takes nothing, but not a slow one [SLOW-cut]', async () => {
    const [near, far] = await sockets()
    const transport = streamTransport(near, { takesWithinMs: 1_500 })
    const lines = heard(transport)
    for (let line = 0; line < 128; line++) transport.send('z'.repeat(65_536))
    for (const from = performance.now(); performance.now() < from + 2_500;) {
      far.read()
      await delay(50)
    }
    expect(lines).toEqual([])
    await expect.poll(() => lines, { timeout: 10_000 }).toEqual(['disconnected'])
    expect([transport.unsent(), near.destroyed]).toEqual([near.writableLength, true])
  })

  it('waits a minute for an end that takes nothing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const deaf = new Writable({ write: () => undefined })
    const transport = streamTransport({ input: new PassThrough(), output: deaf })
    const lines = heard(transport)
    transport.send('x')
    await turn()
    vi.advanceTimersByTime(59_999)
    expect(lines).toEqual([])
    vi.advanceTimersByTime(1)
    expect(lines).toEqual(['disconnected'])
  })

  it('does not read while too much is unsent, and resumes afterwards', async () => {
    const [near, far] = await sockets()
    const transport = streamTransport(near, { readBelow: mebibyte })
    const lines = heard(transport)
    for (let line = 0; line < 48; line++) transport.send('z'.repeat(65_536))
    far.write('question\n')
    await delay(50)
    expect(lines).toEqual([])
    far.resume()
    await expect.poll(() => lines, { timeout: 10_000 }).toEqual(['question'])
  })

  it('sends the waiting lines when it is closed, then ends', async () => {
    const [near, far] = await sockets()
    const transport = streamTransport(near, { closesWithinMs: 600_000 }) // it does not wait for this limit
    const lines = heard(transport)
    let ended = false
    transport.drained$.subscribe({ complete: () => (ended = true) })
    for (let line = 0; line < 32; line++) transport.send('w'.repeat(65_536))
    transport.close()
    transport.close()
    transport.send('late')
    let bytes = 0
    far.on('data', (chunk: Uint8Array) => (bytes += chunk.length))
    await once(far, 'end')
    expect([bytes, lines]).toEqual([32 * 65_537, ['|']])
    await expect.poll(() => [near.destroyed, ended], { timeout: 10_000 }).toEqual([true, true])
  })

  it.each([
    ['at once if nothing waits', []],
    ['when the waiting lines are taken', ['one', 'two']],
  ])('leaves a shared output open, and ends %s', async (_, lines) => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const transport = streamTransport({ input, output, keepsOutput: true }, { closesWithinMs: 600_000 })
    const ended = firstValueFrom(transport.lines$, { defaultValue: 'ended' })
    for (const line of lines) transport.send(line)
    transport.close()
    expect(await ended).toBe('ended')
    await expect.poll(() => input.destroyed, { timeout: 10_000 }).toBe(true)
    output.end('others’')
    const chunks = (await output.toArray()) as Buffer[]
    expect(Buffer.concat(chunks).toString()).toBe([...lines, 'others’'].join('\n'))
  })

  it('closes within a limit if the other end takes nothing', async () => {
    const [near] = await sockets()
    const transport = streamTransport(near, { closesWithinMs: 30 })
    for (let line = 0; line < 32; line++) transport.send('w'.repeat(65_536))
    transport.close()
    await expect.poll(() => near.destroyed, { timeout: 10_000 }).toBe(true)
  })

  it('still sends to an end that has ended its own side', async () => {
    const [near, far] = await sockets()
    const transport = streamTransport(near)
    const lines = heard(transport)
    let answer = ''
    far.on('data', (chunk) => (answer += String(chunk)))
    far.end('ask')
    await expect.poll(() => lines, { timeout: 10_000 }).toEqual(['ask', '|'])
    transport.send('answer')
    transport.close()
    await expect.poll(() => answer, { timeout: 10_000 }).toBe('answer\n')
  })

  it('fails if the other end breaks, also during a write', async () => {
    const [near, far] = await sockets()
    const transport = streamTransport(near)
    const lines = heard(transport)
    for (let line = 0; line < 32; line++) transport.send('w'.repeat(65_536))
    far.destroy()
    await expect.poll(() => lines, { timeout: 10_000 }).toEqual(['disconnected'])
    transport.send('late')
    transport.close()
  })

  it('reports a broken connection to a later subscriber', async () => {
    const [near] = await sockets()
    const transport = streamTransport(near)
    near.destroy(new Error('gone'))
    await delay(20)
    expect(heard(transport)).toEqual(['disconnected'])
  })
})
