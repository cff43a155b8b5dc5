// Tests the queue that hands items to one consumer at a time.
import { takeWhile } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { inbox } from '../../../lib/streams/rx/inbox.ts'

function collect<Item>({ items$ }: { items$: ReturnType<typeof inbox<Item>>['items$'] }) {
  const received: unknown[] = []
  const subscription = items$.subscribe({
    next: (item) => received.push(item),
    error: (error: unknown) => received.push(error),
    complete: () => received.push('complete'),
  })
  return { received, subscription }
}

describe('inbox', () => {
  it('stores what comes before its consumer, in order', () => {
    const box = inbox<number>(10)
    box.offer(1)
    box.offer(2)
    expect(box.size).toBe(2)
    const { received } = collect(box)
    box.offer(3)
    expect([received, box.size]).toEqual([[1, 2, 3], 0])
  })

  it('refuses items over its capacity, and accepts more when some were handled', () => {
    const box = inbox<number>(2)
    expect([box.offer(1), box.offer(2), box.offer(3)]).toEqual([true, true, false])
    const { received } = collect(box)
    expect(box.offer(4)).toBe(true)
    expect(received).toEqual([1, 2, 4])
  })

  it('delivers items that arrive during a delivery afterwards, never nested', () => {
    const box = inbox<string>(10)
    const handled: string[] = []
    box.items$.subscribe((item) => {
      handled.push(`<${item}`)
      if (item === 'a') {
        box.offer('b')
        box.offer('c')
      }
      handled.push(`${item}>`)
    })
    box.offer('a')
    expect(handled).toEqual(['<a', 'a>', '<b', 'b>', '<c', 'c>'])
  })

  it('handles a long queue without recursion', () => {
    const box = inbox<number>(100_000)
    for (let item = 0; item < 100_000; item++) box.offer(item)
    let sum = 0
    let last = -1
    box.items$.subscribe((item) => {
      sum += item - last
      last = item
    })
    expect([sum, last, box.size]).toEqual([100_000, 99_999, 0])
  })

  it('counts only waiting items, at any total', () => {
    const box = inbox<number>(3)
    const { received, subscription } = collect(box)
    for (let item = 0; item < 10_000; item++) expect(box.offer(item)).toBe(true)
    subscription.unsubscribe()
    expect([box.offer(1), box.offer(2), box.offer(3), box.offer(4)]).toEqual([true, true, true, false])
    expect([received.length, box.size]).toEqual([10_000, 3])
  })

  it('excludes the item in work and handled items from the count', () => {
    const box = inbox<string>(2)
    const accepted: boolean[] = []
    box.items$.subscribe((item) => {
      if (item === 'a') accepted.push(box.offer('b'), box.offer('c'), box.offer('too many'))
      if (item === 'b') accepted.push(box.offer('d'), box.offer('too many'))
    })
    box.offer('a')
    expect(accepted).toEqual([true, true, false, true, false])
  })

  it('keeps the rest for the next consumer when one unsubscribes', () => {
    const box = inbox<number>(10)
    for (const item of [1, 2, 3]) box.offer(item)
    const { received, subscription } = collect(box)
    subscription.unsubscribe()
    box.offer(4)
    expect(received).toEqual([1, 2, 3])
    expect(collect(box).received).toEqual([4])
  })

  it('stops delivery at once when its consumer unsubscribes', () => {
    const box = inbox<number>(10)
    for (const item of [1, 2, 3]) box.offer(item)
    const received: number[] = []
    const leaving = inboxConsumer(box, (item) => {
      received.push(item)
      return item === 2
    })
    expect(received).toEqual([1, 2])
    expect(leaving.closed).toBe(true)
    expect([box.size, collect(box).received]).toEqual([1, [3]])
  })

  it('has one consumer at a time', () => {
    const box = inbox<number>(10)
    collect(box)
    expect(collect(box).received).toEqual([
      expect.objectContaining({ message: expect.stringContaining('one consumer') as string }),
    ])
  })

  it('completes when it is closed and empty', () => {
    const box = inbox<number>(10)
    box.offer(1)
    box.close()
    expect(box.offer(2)).toBe(false)
    expect(collect(box).received).toEqual([1, 'complete'])
    expect(collect(box).received).toEqual(['complete'])
  })

  it('delivers waiting items when it is closed from within', () => {
    const box = inbox<number>(10)
    box.offer(1)
    box.offer(2)
    const received: unknown[] = []
    box.items$.subscribe({
      next: (item) => {
        received.push(item)
        box.close()
      },
      complete: () => received.push('complete'),
    })
    expect(received).toEqual([1, 2, 'complete'])
  })

  it('never completes before it is closed', () => {
    const { received } = collect(inbox<number>(1))
    expect(received).toEqual([])
  })

  it('accepts undefined as an item', () => {
    const box = inbox<undefined>(10)
    box.offer(undefined)
    expect(collect(box).received).toEqual([undefined])
  })
})

/** Subscribes, and unsubscribes within the delivery of an item that matches `isLast`. */
function inboxConsumer<Item>(box: ReturnType<typeof inbox<Item>>, isLast: (item: Item) => boolean) {
  return box.items$.pipe(takeWhile((item) => !isLast(item))).subscribe()
}
