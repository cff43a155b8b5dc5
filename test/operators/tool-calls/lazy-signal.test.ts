// Tests the lazy abort signal: it is created when it is first read.
import { describe, expect, it } from 'vitest'
import { createLazySignal } from '../../../lib/operators/tool-calls/execute-call.ts'

describe('createLazySignal', () => {
  it('is taken by reading the signal', () => {
    const [read, left] = [createLazySignal(), createLazySignal()]
    expect(read.signal.aborted).toBe(false)
    expect([read.taken, left.taken]).toEqual([true, false])
  })

  it('aborts the signal, whether it was read before or is read later', () => {
    const signal = createLazySignal()
    signal.abort()
    expect([signal.taken, signal.signal.aborted]).toEqual([false, true])
  })
})
