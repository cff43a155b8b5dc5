// Tests `tickBatcher`: the lines of one tick reach all subscribers as one array.
import { Observable, Subject } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'
import { tickBatcher } from '../../../lib/server/feed/tick-batcher.ts'
import type { TickBatcher } from '../../../lib/server/feed/tick-batcher.ts'

const delta = { type: 'text_delta', contentIndex: 0, text: 'x' } as const

interface Scene {
  readonly batcher: TickBatcher
  readonly record$: Subject<SessionRecord>
  /** The number of subscribers to the records. */
  readers(): number
  /** Ends the tick. */
  tick(): void
  record(code: string): void
  /** Whether a call at the end of the tick is scheduled. */
  isWaiting(): boolean
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
    frameOf: ({ event }) => (event.type === 'status' ? event.code : event.type),
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
    isWaiting: () => waiting !== undefined,
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

  it('gives a new subscriber later records only, and an unsubscribed one none', () => {
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

  it('emits the waiting records when the session is closed, and completes', () => {
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

  it.each<[string, EventNamed<'message_update'>['delta'], string[]]>([
    ['at once if it is the first of its block', { ...delta, offset: 0 }, ['a+message_update']],
    ['with its tick if another came before', { ...delta, offset: 1 }, []],
    ['with its tick if it starts a block', { type: 'text_start', contentIndex: 0 }, []],
  ])('emits a piece %s', (_, piece, emitted) => {
    const all = scene()
    const { heard } = listener(all)
    all.record('a')
    all.record$.next({ event: { type: 'message_update', entryId: 'aaaaaaaa', delta: piece }, at: 0 })
    expect(heard).toEqual(emitted)
    all.tick()
    expect(heard).toEqual(['a+message_update'])
  })

  it('emits records whose lines have 64 KiB together at the end of the tick', () => {
    const all = scene()
    const { heard } = listener(all)
    all.record('x'.repeat(65_536))
    expect(heard).toEqual([])
    all.record('a')
    expect(heard).toHaveLength(1)
  })

  it('marks each batch as the end of its tick, with its length', () => {
    const all = scene()
    const batches: unknown[] = []
    all.batcher.batches$.subscribe(({ length, endsTick }) => batches.push([length, endsTick]))
    all.record('ab')
    all.record('c')
    all.tick()
    expect(batches).toEqual([[3, true]])
  })

  it('cancels the end of the tick when the last subscriber leaves, and when it emits earlier', () => {
    const all = scene()
    const { leave } = listener(all)
    all.record('a')
    const waits = [all.isWaiting()]
    all.batcher.flush()
    waits.push(all.isWaiting())
    all.record('b')
    waits.push(all.isWaiting())
    leave()
    waits.push(all.isWaiting())
    expect(waits).toEqual([true, false, true, false])
  })

  it('fails when the records fail, and drops the waiting batch', () => {
    const all = scene()
    const failures: unknown[] = []
    const lines: string[] = []
    all.batcher.batches$.subscribe({
      next: (batch) => lines.push(...batch.lines),
      error: (error: unknown) => failures.push(error),
    })
    all.record('a')
    all.record$.error(new Error('broken'))
    expect([failures, lines, all.isWaiting()]).toEqual([[new Error('broken')], [], false])
  })
})
