// Tests the first-in, first-out queue.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
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

it('releases the values that were taken when it is empty', async () => {
  const queue = fifo<object>()
  const refs = putObjects(queue, 2)
  takeAndForget(queue, 2)
  expect(queue.size).toBe(0)
  expect(await countAlive(refs)).toBe(0)
})

it('releases the values that were taken while fewer wait', async () => {
  const queue = fifo<object>()
  const refs = putObjects(queue, 10)
  takeAndForget(queue, 6)
  expect(await countAlive(refs)).toBe(4)
  expect(queue.size).toBe(4)
})

/** Makes the values in its own call, so that no local variable retains them. */
function putObjects(queue: ReturnType<typeof fifo<object>>, count: number): WeakRef<object>[] {
  const values = Array.from({ length: count }, (_, index) => ({ index }))
  for (const value of values) queue.put(value)
  return values.map((value) => new WeakRef(value))
}

function takeAndForget(queue: ReturnType<typeof fifo<object>>, count: number): void {
  for (let taken = 0; taken < count; taken++) queue.take()
}

/** A WeakRef is cleared in a later turn of the event loop than the one that made it. */
async function countAlive(refs: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  await new Promise((resolve) => setImmediate(resolve))
  gc()
  return refs.filter((ref) => ref.deref() !== undefined).length
}
