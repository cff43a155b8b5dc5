// Tests the Observable of a Node readable stream.
import { EventEmitter } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { map, take } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { fromReadable } from '../../../lib/streams/rx/from-readable.ts'
import type { ReadableSource } from '../../../lib/streams/rx/from-readable.ts'
import { valuesOf } from '../../support/values-of.ts'

function textOf(readable: ReadableSource) {
  return fromReadable(readable).pipe(map((chunk) => Buffer.from(chunk).toString()))
}

describe('fromReadable', () => {
  it('emits every chunk and completes at the end', async () => {
    const readable = Readable.from([Buffer.from('one'), Buffer.from('two')], { objectMode: false })
    expect(await valuesOf(textOf(readable))).toEqual(['one', 'two'])
  })

  it('completes at the end of an empty stream', async () => {
    const readable = Readable.from([], { objectMode: false })
    expect(await valuesOf(fromReadable(readable))).toEqual([])
  })

  it('fails with the stream’s error', async () => {
    const readable = new PassThrough()
    const failed = valuesOf(fromReadable(readable))
    readable.destroy(new Error('cut'))
    await expect(failed).rejects.toThrow('cut')
  })

  it('completes when the stream is closed without an end', async () => {
    const readable = new PassThrough()
    const ended = valuesOf(textOf(readable))
    readable.write('part')
    await new Promise(setImmediate)
    readable.destroy()
    expect(await ended).toEqual(['part'])
  })

  it("emits a chunk in the same call as the stream's event", () => {
    const source = new EventEmitter() as EventEmitter & { destroy(): void }
    const received: string[] = []
    textOf(source).subscribe((chunk) => received.push(chunk))
    source.emit('data', Buffer.from('now'))
    expect(received).toEqual(['now'])
  })

  it('destroys the stream when it is unsubscribed, and emits nothing afterwards', async () => {
    const readable = new PassThrough()
    readable.write('one')
    readable.write('two')
    expect(await valuesOf(textOf(readable).pipe(take(1)))).toEqual(['one'])
    expect(readable.destroyed).toBe(true)
    expect([readable.listenerCount('data'), readable.listenerCount('end'), readable.listenerCount('close')]).toEqual([
      0, 0, 0,
    ])
  })

  it('ignores an error of a stream that it destroyed', async () => {
    const readable = new Readable({
      read: () => undefined,
      destroy: (_error, done) => {
        done(new Error('could not even close'))
      },
    })
    fromReadable(readable).subscribe().unsubscribe()
    await new Promise((resolve) => readable.once('close', resolve))
    expect(readable.errored?.message).toBe('could not even close')
  })

  it('destroys a stream that has ended, too', async () => {
    const readable = Readable.from([Buffer.from('x')], { objectMode: false, autoDestroy: false })
    await valuesOf(fromReadable(readable))
    expect(readable.destroyed).toBe(true)
  })
})
