import { Observable, Subject } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'
import { broadcast } from '../../../lib/server/feed/broadcast.ts'
import type { Batch, Broadcast } from '../../../lib/server/feed/broadcast.ts'

interface Scene {
  readonly told: Broadcast
  readonly record$: Subject<SessionRecord>
  /** How many subscribe to the records. */
  readers(): number
  /** The tick is over. */
  tick(): void
  record(code: string): void
}

function scene(): Scene {
  const record$ = new Subject<SessionRecord>()
  let readers = 0
  let waiting: (() => void) | undefined
  const told = broadcast({
    records$: new Observable((subscriber) => {
      readers += 1
      subscriber.add(() => (readers -= 1))
      return record$.subscribe(subscriber)
    }),
    frameOf: ({ event }) => (event.type === 'status' ? event.code : ''),
    tick: (flush) => {
      waiting = flush
      return () => (waiting = undefined)
    },
  })
  return {
    told,
    record$,
    readers: () => readers,
    tick: () => waiting?.(),
    record: (code) => {
      record$.next({ event: { type: 'status', code, message: '', recoverable: true }, at: 0 })
    },
  }
}

/** Joins, and notes what comes: a batch that was asked for early ends with an exclamation mark. */
function listener({ told }: Scene): { readonly heard: string[]; leave(): void } {
  const heard: string[] = []
  const leave = told.join({
    told: ({ lines }: Batch, isLast) => heard.push(lines.join('+') + (isLast ? '' : '!')),
    closed: () => heard.push('closed'),
  })
  return { heard, leave }
}

describe('broadcast', () => {
  it('hands a tick’s lines to all who listen at its end, as one and the same array', () => {
    const all = scene()
    const arrays: (readonly string[])[] = []
    for (let count = 0; count < 2; count++)
      all.told.join({ told: ({ lines }) => arrays.push(lines), closed: () => undefined })
    all.record('a')
    all.record('b')
    expect(arrays).toEqual([])
    all.tick()
    all.record('c')
    all.tick()
    expect(arrays).toEqual([['a', 'b'], ['a', 'b'], ['c'], ['c']])
    expect(arrays[0]).toBe(arrays[1])
  })

  it('gives who joins what comes from then on, and who leaves nothing more', () => {
    const all = scene()
    const first = listener(all)
    all.record('a')
    const second = listener(all)
    all.record('b')
    first.leave()
    all.record('c')
    all.tick()
    expect([first.heard, second.heard]).toEqual([
      ['a!', 'b!'],
      ['b!', 'c'],
    ])
  })

  it('does not wait for the tick’s end where 64 KiB are there, or where it is asked', () => {
    const all = scene()
    const { heard } = listener(all)
    const long = 'x'.repeat(40_000)
    all.record(long)
    all.record(long)
    all.record('a')
    all.told.flush()
    all.told.flush()
    all.tick()
    expect(heard).toEqual([`${long}+${long}`, 'a!'])
  })

  it('hands out what waits when the session is closed, and says so', () => {
    const all = scene()
    const { heard, leave } = listener(all)
    all.record('a')
    all.record$.complete()
    leave()
    expect(heard).toEqual(['a', 'closed'])
  })

  it('subscribes while somebody listens', () => {
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
