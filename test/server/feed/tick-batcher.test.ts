// Tests `tickBatcher`: the lines of one tick reach all subscribers as one array.
import { Observable, Subject } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'
import { tickBatcher } from '../../../lib/server/feed/tick-batcher.ts'
import type { TickBatcher } from '../../../lib/server/feed/tick-batcher.ts'

interface Scene {
  readonly batcher: TickBatcher
  readonly record$: Subject<SessionRecord>
  /** The number of subscribers to the records. */
  readers(): number
  /** Ends the tick. */
  tick(): void
  record(code: string): void
}

function scene(): Scene {
  const record$ = new Subject<SessionRecord>()
  let readers = 0
  let waiting: (() => void) | undefined
  const counted$ = new Observable<SessionRecord>((subscriber) => {
    readers += 1
    subscriber.add(() => (readers -= 1))
    return record$.subscribe(subscriber)
  })
  const batcher = tickBatcher(counted$, {
    frameOf: ({ event }) => (event.type === 'status' ? event.code : ''),
    tick: (flush) => {
      waiting = flush
      return () => (waiting = undefined)
    },
  })
  return {
    batcher,
    record$,
    readers: () => readers,
    tick: () => waiting?.(),
    record: (code) => {
      record$.next({ event: { type: 'status', code, message: '', recoverable: true }, at: 0 })
    },
  }
}

/** Subscribes and records each batch; a batch that was flushed early ends with an exclamation mark. */
function listener({ batcher }: Scene): { readonly heard: string[]; leave(): void } {
  const heard: string[] = []
  const subscription = batcher.batches$.subscribe({
    next: ({ lines, isCurrent }) => heard.push(lines.join('+') + (isCurrent ? '' : '!')),
    complete: () => heard.push('closed'),
  })
  return { heard, leave: () => subscription.unsubscribe() }
}

describe('tickBatcher', () => {
  it('emits a tick’s lines to all subscribers at its end, as one and the same array', () => {
    const all = scene()
    const arrays: (readonly string[])[] = []
    for (let count = 0; count < 2; count++) all.batcher.batches$.subscribe(({ lines }) => arrays.push(lines))
    all.record('a')
    all.record('b')
    expect(arrays).toEqual([])
    all.tick()
    all.record('c')
    all.tick()
    expect(arrays).toEqual([['a', 'b'], ['a', 'b'], ['c'], ['c']])
    expect(arrays[0]).toBe(arrays[1])
  })

  it('gives a new subscriber what comes from then on, and one that has left nothing more', () => {
    const all = scene()
    const first = listener(all)
    all.record('a')
    const second = listener(all)
    all.record('b')
    first.leave()
    all.record('c')
    all.tick()
    expect([first.heard, second.heard]).toEqual([['a!'], ['b+c']])
  })

  it('does not wait for the end of the tick with 64 KiB, or if it is flushed', () => {
    const all = scene()
    const { heard } = listener(all)
    const long = 'x'.repeat(40_000)
    all.record(long)
    all.record(long)
    all.record('a')
    all.batcher.flush()
    all.batcher.flush()
    all.tick()
    expect(heard).toEqual([`${long}+${long}`, 'a!'])
  })

  it('emits what waits when the session is closed, and completes', () => {
    const all = scene()
    const { heard, leave } = listener(all)
    all.record('a')
    all.record$.complete()
    leave()
    expect(heard).toEqual(['a', 'closed'])
  })

  it('subscribes to the records while it has a subscriber', () => {
    const all = scene()
    const counts = [all.readers()]
    const first = listener(all)
    const second = listener(all)
    counts.push(all.readers())
    first.leave()
    first.leave()
    counts.push(all.readers())
    second.leave()
    counts.push(all.readers())
    expect(counts).toEqual([0, 1, 1, 0])
  })
})
