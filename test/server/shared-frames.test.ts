import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CatchUp } from '../../lib/server/catch-up.ts'
import { nothingGiven } from '../../lib/server/given.ts'
import { servedSession } from '../../lib/server/served-session.ts'
import { sharedFrames } from '../../lib/server/shared-frames.ts'
import type { SessionRecord } from '../../lib/streams/session-record.ts'
import { fakeSession } from '../support/fake-session.ts'

const record = (seq: number, length: number): SessionRecord => ({
  event: { type: 'agent_settled' },
  at: 1,
  seq,
  line: 'x'.repeat(length),
})

describe('sharedFrames', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('makes a long line’s frame once for all who read it, and holds it no longer than a minute', () => {
    const made: (number | undefined)[] = []
    const frameOf = sharedFrames(({ seq, line }) => {
      made.push(seq)
      return `frame of ${line ?? ''}`
    })
    for (let reader = 0; reader < 3; reader++) expect(frameOf(record(7, 100_000))).toHaveLength(100_009)
    expect(made).toEqual([7])
    frameOf(record(8, 100_000))
    frameOf(record(8, 100_000))
    frameOf(record(9, 10))
    frameOf(record(9, 10))
    expect(made).toEqual([7, 8, 9, 9])
    vi.advanceTimersByTime(60_000)
    frameOf(record(8, 100_000))
    expect(made).toEqual([7, 8, 9, 9, 8])
  })
})

describe('clients that are behind at one long line', () => {
  it('hold it once', () => {
    setFlagsFromString('--expose-gc')
    const gc = runInNewContext('gc') as () => void
    const session = fakeSession()
    session.record({ type: 'warning', code: 'long', message: 'x'.repeat(4 * 2 ** 20), recoverable: true })
    const served = servedSession({ session, notices: [] }, { channel: 1 })
    const options = { after: 0, marked: false, deltas: true, longest: 65_536 }
    gc()
    const before = process.memoryUsage().heapUsed
    const frames = Array.from({ length: 50 }, () => {
      const frame = new CatchUp(served, { ...options, given: nothingGiven() }).next() ?? ''
      frame.slice(100, 200_000) // as who sends it does: it is made flat
      return frame
    })
    gc()
    expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(40)
    expect(frames.every((frame) => frame.length > 4 * 2 ** 20)).toBe(true)
  })
})
