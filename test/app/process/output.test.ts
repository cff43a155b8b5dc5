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

describe('output', () => {
  it('keeps every byte where no terminal reads it [S19b, CLI-colours]', () => {
    const { stream, out } = setup()
    out.text('\u001b[31mred\u202e')
    out.json('"\u009b"')
    out.dimmed('dim')
    expect(stream.kept).toBe('\u001b[31mred\u202e"\u009b"\ndim')
  })

  it('makes text harmless on a terminal, and JSON without changing its value [S19a, S19b]', () => {
    const { stream, out } = setup({ isTTY: true })
    out.text('\u001b[31mred\n')
    out.json('"\u009b"')
    expect(stream.kept).toBe('␛[31mred\n"\\u009b"\n')
  })

  it('uses colours of its own around harmless text, where they are wanted [CLI-colours]', () => {
    const coloured = setup({ isTTY: true })
    coloured.out.dimmed('a\u001b[22m')
    const plain = setup({ isTTY: true, colours: false })
    plain.out.dimmed('a')
    expect([coloured.stream.kept, plain.stream.kept]).toEqual(['\u001b[2ma␛[22m\u001b[22m', 'a'])
  })

  it('is full while more than 1 MiB waits, and tells when all has gone', async () => {
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
    await expect.poll(() => flushed).toBe(true)
    expect(out.isFull()).toBe(false)
  })

  it('tells once and to everybody when its reader has gone, and takes the rest quietly', async () => {
    const { stream, out } = setup()
    const told: unknown[] = []
    out.broken$.subscribe(({ data }) => told.push(data['errno']))
    stream.breakWith('EPIPE')
    out.text('a')
    await tick()
    out.text('b')
    out.broken$.subscribe(({ message }) => told.push(message))
    let flushed = false
    out.flushed().subscribe({ complete: () => (flushed = true) })
    expect([told, flushed]).toEqual([['EPIPE', 'cannot write to standard output: write EPIPE'], true])
  })

  it('does not wait for ever for a reader that goes while it is waited for', async () => {
    const { stream, out } = setup()
    stream.hold()
    out.text('a')
    let flushed = false
    out.flushed().subscribe({ complete: () => (flushed = true) })
    stream.breakWith('EPIPE')
    stream.release()
    await expect.poll(() => flushed).toBe(true)
  })
})
