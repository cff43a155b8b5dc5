// Tests the lazy abort signal: it is created when it is first read.
import { describe, expect, it } from 'vitest'
import { createLazySignal } from '../../../lib/operators/tool-calls/lazy-signal.ts'

describe('createLazySignal', () => {
  it('is taken by reading the signal', () => {
    const [read, left] = [createLazySignal(), createLazySignal()]
    expect(read.signal.aborted).toBe(false)
    expect([read.taken, left.taken]).toEqual([true, false])
  })

  it('aborts the signal, whether it was read before or is read later', () => {
    const signal = createLazySignal()
    signal.abort('TimeoutError', 'too long')
    expect([signal.taken, signal.signal.aborted]).toEqual([false, true])
  })

  it.each([true, false])('has the first reason, read before: %s', (isRead) => {
    const signal = createLazySignal()
    if (isRead) expect(signal.signal.aborted).toBe(false)
    signal.abort('TimeoutError', 'too long')
    signal.abort('AbortError', 'aborted')
    expect(signal.signal.reason).toMatchObject({ name: 'TimeoutError', message: 'too long' })
  })

  it.each([true, false])('does not abort once the call has its result, read before: %s', (isRead) => {
    const signal = createLazySignal()
    if (isRead) expect(signal.signal.aborted).toBe(false)
    signal.settle()
    signal.abort('AbortError', 'aborted')
    expect(signal.signal.aborted).toBe(false)
  })
})
