// Tests the lazy abort signal: it is created when it is first read.
import { describe, expect, it } from 'vitest'
import { createLazySignal } from '../../../lib/operators/tool-calls/execute-call.ts'

describe('createLazySignal', () => {
  it('is taken by reading the signal or by calling take', () => {
    const [read, taken, left] = [createLazySignal(), createLazySignal(), createLazySignal()]
    expect(read.signal.aborted).toBe(false)
    taken.take()
    expect([read.taken, taken.taken, left.taken]).toEqual([true, true, false])
  })

  it('aborts the signal, whether it was read before or is read later', () => {
    const signal = createLazySignal()
    signal.abort()
    expect([signal.taken, signal.signal.aborted]).toEqual([false, true])
  })
})
