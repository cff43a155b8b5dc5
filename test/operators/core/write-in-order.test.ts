import { describe, expect, it } from 'vitest'
import { writeInOrder } from '../../../lib/operators/core/write-in-order.ts'

/** A writer whose place is full while `full` is true. */
function scene() {
  const told: string[] = []
  const place = { full: false }
  const writer = writeInOrder(
    (item: string) => {
      told.push(`try ${item}`)
      return place.full ? undefined : item.toUpperCase()
    },
    (item, result: string) => told.push(`${item}=${result}`),
  )
  return { told, place, writer }
}

describe('writeInOrder', () => {
  it('writes at once and tells what came of it', () => {
    const { told, writer } = scene()
    writer.put('a')
    writer.put('b')
    expect([told, writer.waiting]).toEqual([['try a', 'a=A', 'try b', 'b=B'], 0])
  })

  it('lets nothing overtake what could not be written', () => {
    const { told, place, writer } = scene()
    place.full = true
    writer.put('a')
    writer.put('b')
    expect([told, writer.waiting]).toEqual([['try a', 'try a'], 2])
    place.full = false
    writer.put('c')
    expect([told.slice(2), writer.waiting]).toEqual([['try a', 'a=A', 'try b', 'b=B', 'try c', 'c=C'], 0])
  })

  it('tries again when it is told to', () => {
    const { told, place, writer } = scene()
    place.full = true
    writer.put('a')
    writer.flush()
    place.full = false
    writer.flush()
    writer.flush()
    expect(told).toEqual(['try a', 'try a', 'try a', 'a=A'])
  })

  it('has nothing to try when nothing waits', () => {
    const { told, writer } = scene()
    writer.flush()
    expect(told).toEqual([])
  })

  it('never tells of an item before the telling of the one ahead has returned', () => {
    const told: string[] = []
    const writer = writeInOrder(
      (item: string) => item,
      (item) => {
        told.push(`<${item}`)
        if (item === 'a') {
          writer.put('b')
          writer.flush()
        }
        told.push(`${item}>`)
      },
    )
    writer.put('a')
    expect(told).toEqual(['<a', 'a>', '<b', 'b>'])
  })

  it('takes 20,000 waiting items without slowing down', () => {
    const written: number[] = []
    const place = { full: true }
    const writer = writeInOrder(
      (item: number) => (place.full ? undefined : item),
      (item) => written.push(item),
    )
    for (let item = 1; item <= 20_000; item++) writer.put(item)
    place.full = false
    writer.flush()
    expect([written.length, written[0], written.at(-1)]).toEqual([20_000, 1, 20_000])
  })
})
