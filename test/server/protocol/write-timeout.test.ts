// Tests `writeTimeout`: it reports a stall if the peer takes no data for too long.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { writeTimeout } from '../../../lib/server/protocol/write-timeout.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('writeTimeout', () => {
  it('calls onStall if data waits for the limit and none is taken [SLOW-cut]', () => {
    const stalled = vi.fn()
    const limit = writeTimeout(100, stalled)
    limit.setWaiting(true)
    vi.advanceTimersByTime(99)
    expect(stalled).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(stalled).toHaveBeenCalledTimes(1)
  })

  it('counts from the last data taken, or from when data began to wait', () => {
    const stalled = vi.fn()
    const limit = writeTimeout(100, stalled)
    limit.setWaiting(true)
    vi.advanceTimersByTime(60)
    limit.restart()
    vi.advanceTimersByTime(60)
    limit.setWaiting(false)
    vi.advanceTimersByTime(10)
    limit.setWaiting(true)
    vi.advanceTimersByTime(95)
    expect(stalled).not.toHaveBeenCalled()
    vi.advanceTimersByTime(5)
    expect(stalled).toHaveBeenCalledTimes(1)
  })

  it('calls onStall also if data was taken once, and then none', () => {
    const stalled = vi.fn()
    const limit = writeTimeout(100, stalled)
    limit.setWaiting(true)
    vi.advanceTimersByTime(60)
    limit.restart()
    vi.advanceTimersByTime(99)
    expect(stalled).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(stalled).toHaveBeenCalledTimes(1)
  })

  it('does not restart the time when more data waits', () => {
    const stalled = vi.fn()
    const limit = writeTimeout(100, stalled)
    limit.setWaiting(true)
    vi.advanceTimersByTime(60)
    limit.setWaiting(true)
    vi.advanceTimersByTime(40)
    expect(stalled).toHaveBeenCalledTimes(1)
  })

  it('sets no timer without waiting data', () => {
    writeTimeout(100, () => undefined).setWaiting(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([
    ['nothing waits', (limit: ReturnType<typeof writeTimeout>) => limit.setWaiting(false)],
    ['it was stopped', (limit: ReturnType<typeof writeTimeout>) => limit.stop()],
  ])('does not call onStall if %s', (_, end) => {
    const stalled = vi.fn()
    const limit = writeTimeout(100, stalled)
    limit.setWaiting(true)
    end(limit)
    vi.advanceTimersByTime(1_000)
    expect([stalled.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0])
  })
})
