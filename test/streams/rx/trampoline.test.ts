// Tests the trampoline, which runs steps in a flat loop.
import { expect, it } from 'vitest'
import { trampoline } from '../../../lib/streams/rx/trampoline.ts'

it('calls step until it returns false, on each drain', () => {
  const left = [2, 1]
  let calls = 0
  const drain = trampoline(() => {
    calls += 1
    return left.pop() !== undefined
  })
  drain()
  expect(calls).toBe(3)
  left.push(1)
  drain()
  expect(calls).toBe(5)
})

it('calls step again, without recursion, for a drain from within a step', () => {
  let depth = 0
  let deepest = 0
  let left = 100_000
  const drain = trampoline(() => {
    depth += 1
    deepest = Math.max(deepest, depth)
    left -= 1
    if (left > 0) drain()
    depth -= 1
    return left > 0
  })
  drain()
  expect([left, deepest]).toEqual([0, 1])
})

it('can be drained again after a step threw', () => {
  let throws = true
  let calls = 0
  const drain = trampoline(() => {
    calls += 1
    if (throws) throw new Error('step')
    return false
  })
  expect(drain).toThrow('step')
  throws = false
  drain()
  expect(calls).toBe(2)
})
