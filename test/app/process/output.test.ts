// Tests output to terminals and files: harmless text, colours and backpressure.
import { describe, expect, it } from 'vitest'
import { createOutput } from '../../../app/process/output.ts'
import type { Output } from '../../../app/process/output.ts'
import { recordingStream } from '../../support/fake-world.ts'
import type { RecordingStream } from '../../support/fake-world.ts'

function setup({ isTTY = false, colours = true } = {}): { stream: RecordingStream; out: Output } {
  const stream = recordingStream({ isTTY })
  return { stream, out: createOutput({ stream, name: 'standard output', colours }) }
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('createOutput', () => {
  it('writes every byte unchanged if the stream is not a terminal [S19b, CLI-colours]', () => {
    const { stream, out } = setup()
    out.text('\u001b[31mred\u202e')
    out.json('"\u009b"')
    out.dimmed('dim')
    expect(stream.written).toBe('\u001b[31mred\u202e"\u009b"\ndim')
  })

  it('on a terminal escapes control characters in text, and in JSON without changing its value [S19a, S19b]', () => {
    const { stream, out } = setup({ isTTY: true })
    out.text('\u001b[31mred\n')
    out.json('"\u009b"')
    expect(stream.written).toBe('␛[31mred\n"\\u009b"\n')
  })

  it('dims escaped text on a terminal if colours are on [CLI-colours]', () => {
    const coloured = setup({ isTTY: true })
    coloured.out.dimmed('a\u001b[22m')
    const plain = setup({ isTTY: true, colours: false })
    plain.out.dimmed('a')
    expect([coloured.stream.written, plain.stream.written]).toEqual(['\u001b[2ma␛[22m\u001b[22m', 'a'])
  })

  it('is full while more than 1 MiB waits, and flushed() completes when all is written', async () => {
    const { stream, out } = setup()
    stream.hold()
    out.text('a'.repeat(1_048_576))
    expect(out.isFull()).toBe(false)
    out.text('a')
    expect(out.isFull()).toBe(true)
    let flushed = false
    out.flushed().subscribe({ complete: () => (flushed = true) })
    await tick()
    expect(flushed).toBe(false)
    stream.release()
    await expect.poll(() => flushed, { timeout: 10_000 }).toBe(true)
    expect(out.isFull()).toBe(false)
  })

  it('broken$ emits one failure and replays it when the reader is gone; later writes are dropped', async () => {
    const { stream, out } = setup()
    const notices: unknown[] = []
    out.broken$.subscribe(({ data }) => notices.push(data['errno']))
    stream.breakWith('EPIPE')
    out.text('a')
    await tick()
    out.text('b')
    out.broken$.subscribe(({ message }) => notices.push(message))
    let flushed = false
    out.flushed().subscribe({ complete: () => (flushed = true) })
    expect([notices, flushed]).toEqual([['EPIPE', 'cannot write to standard output: the reader has gone'], true])
  })

  it('flushed() completes if the reader goes away while it waits', async () => {
    const { stream, out } = setup()
    stream.hold()
    out.text('a')
    let flushed = false
    out.flushed().subscribe({ complete: () => (flushed = true) })
    stream.breakWith('EPIPE')
    stream.release()
    await expect.poll(() => flushed, { timeout: 10_000 }).toBe(true)
  })
})
