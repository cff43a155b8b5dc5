// Tests `longFrameCache`: clients that lag at one long line read and hold it once.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CatchUp } from '../../../lib/server/feed/catch-up.ts'
import { emptyCursor } from '../../../lib/server/feed/client-cursor.ts'
import { servedSession } from '../../../lib/server/feed/served-session.ts'
import { longFrameCache } from '../../../lib/server/feed/long-frame-cache.ts'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'
import { fakeSession } from '../../support/fake-session.ts'

const record = (seq: number, length: number): SessionRecord => ({
  event: { type: 'agent_settled' },
  at: 1,
  seq,
  line: 'x'.repeat(length),
})

describe('longFrameCache', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('stores a long line for the next reader, for a minute after its last use', () => {
    const frames = longFrameCache(({ line }) => `frame of ${line ?? ''}`)
    expect(frames.cached(7)).toBeUndefined()
    expect(frames.frameOf(record(7, 100_000)).frame).toHaveLength(100_009)
    expect([frames.cached(7)?.frame.length, frames.cached(8)]).toEqual([100_009, undefined])
    vi.advanceTimersByTime(59_000)
    expect(frames.cached(7)).toBeDefined()
    vi.advanceTimersByTime(59_000)
    frames.frameOf(record(8, 10))
    expect(frames.cached(8)).toBeUndefined()
    expect(frames.cached(7)).toMatchObject({ type: 'agent_settled' })
    vi.advanceTimersByTime(60_000)
    expect(frames.cached(7)).toBeUndefined()
  })
})

it.each([
  ['has no seq', { seq: undefined }],
  ['has no line', { line: undefined }],
  ['is shorter than 65,536 UTF-16 units', { line: 'x'.repeat(65_535) }],
])('makes the frame of a record that %s, and does not store it', (_, fields) => {
  const frames = longFrameCache(({ at }) => `frame at ${at}`)
  frames.frameOf(record(7, 65_536))
  expect(frames.frameOf({ ...record(8, 65_536), ...fields }).frame).toBe('frame at 1')
  expect([frames.cached(7) !== undefined, frames.cached(8)]).toEqual([true, undefined])
})

describe('clients that are behind at one long line', () => {
  it('read it once and hold it once [SLOW-long]', () => {
    setFlagsFromString('--expose-gc')
    const gc = runInNewContext('gc') as () => void
    const session = fakeSession()
    session.record({ type: 'warning', code: 'long', message: 'x'.repeat(4 * 2 ** 20), recoverable: true })
    const served = servedSession({ session, notices: [] }, { channel: 1 })
    const options = { after: 0, isMarked: false, deltas: true, longest: 65_536 }
    gc()
    const before = process.memoryUsage().heapUsed
    const read = vi.spyOn(session, 'logged')
    const frames = Array.from({ length: 50 }, () => {
      const frame = new CatchUp(served, { ...options, cursor: emptyCursor() }).next(1)?.lines[0] ?? ''
      frame.slice(100, 200_000) // sending flattens the string in the same way
      return frame
    })
    gc()
    expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(40)
    expect(read).toHaveBeenCalledTimes(1)
    expect(frames.every((frame) => frame.length > 4 * 2 ** 20)).toBe(true)
  })
})

it('holds nothing of an evicted session while the long line is stored', async () => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const session = restedBehindLongLine()
  await vi.waitFor(
    () => {
      gc()
      expect(session.deref() === undefined).toBe(true) // not the object itself: a failed assertion would retain it
    },
    { timeout: 10_000 },
  )
})

/**
 * A stand-in for a session whose frames were made and released. Made in its own call, so that no local variable retains
 * it.
 */
function restedBehindLongLine(): WeakRef<object> {
  const session = { name: 'resting' }
  longFrameCache(({ line }) => `${session.name} ${line ?? ''}`).frameOf(record(7, 100_000))
  return new WeakRef(session)
}
