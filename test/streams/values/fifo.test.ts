// Tests the first-in, first-out queue.
import { expect, it } from 'vitest'
import { fifo } from '../../../lib/streams/values/fifo.ts'

it('returns values in order while more are added', () => {
  const queue = fifo<number>()
  const taken: number[] = []
  for (let value = 0; value < 10_000; value++) {
    queue.put(value)
    if (value % 3 === 0) taken.push(queue.take())
  }
  expect(queue.size).toBe(10_000 - taken.length)
  while (queue.size > 0) taken.push(queue.take())
  expect(taken).toEqual(Array.from({ length: 10_000 }, (_, index) => index))
})

it('accepts undefined as a value', () => {
  const queue = fifo<undefined>()
  queue.put(undefined)
  expect(queue.size).toBe(1)
  queue.take()
  expect(queue.size).toBe(0)
})
