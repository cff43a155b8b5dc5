// Tests the batches of one client's feed: portions of missing lines, live lines, shared ticks and left-out pieces.
import { Subject } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { feed } from '../../../lib/server/feed/feed.ts'
import type { FeedOptions, Pressure } from '../../../lib/server/feed/feed.ts'
import { servedSession } from '../../../lib/server/feed/served-session.ts'
import type { LineBatch } from '../../../lib/server/protocol/transport.ts'
import { fakeSession } from '../../support/fake-session.ts'
import { unhurried } from '../../support/unhurried.ts'
import { sampleEvents } from '../../streams/events/samples.ts'

const { agent_settled: settled, message_update: piece, status, tool_execution_update: output } = sampleEvents

function scene(count: number, options: Partial<FeedOptions> = {}) {
  const session = fakeSession()
  for (let index = 0; index < count; index++) session.record(settled)
  const ticks: (() => void)[] = []
  const turns: (() => void)[] = []
  const later = (list: (() => void)[]) => (act: () => void) => {
    list.push(act)
    return () => void list.splice(list.indexOf(act), 1)
  }
  const served = servedSession({ session, notices: [] }, { channel: 1, tick: later(ticks) })
  const batches: LineBatch[] = []
  const pressure: Pressure = { ...unhurried, flushes: new Set() }
  const all = { after: 0, isMarked: false, deltas: true, joinMs: 0, pressure, schedule: later(turns), ...options }
  const subscription = feed(served, all).subscribe((batch) => batches.push(batch))
  return { session, batches, subscription, pressure: all.pressure, ticks, turns, runTurn: () => turns.shift()?.() }
}

const counts = (batches: readonly LineBatch[]): number[] => batches.map(({ lines }) => lines.length)
const [frameLength = 0] = scene(1).batches.map(({ length }) => length)

describe('a client that is behind', () => {
  const bounds = { unsent: 10_000, portion: 2 * frameLength }

  it('gets a portion in each turn: as one batch if it takes batches, else line by line', () => {
    for (const [takesBatches, expected] of [
      [true, [2]],
      [false, [1, 1]],
    ] as const) {
      const pressure = { ...unhurried, takesBatches, flushes: new Set<() => void>() }
      const { batches, runTurn, turns } = scene(5, { bounds, pressure })
      expect([counts(batches), turns.length]).toEqual([expected, 1])
      runTurn()
      runTurn()
      expect(counts(batches)).toEqual([...expected, ...expected, 1])
    }
  })

  it('gets the next portion when it has less than one portion unsent', () => {
    const drained$ = new Subject<void>()
    let unsent = bounds.portion
    const pressure: Pressure = { ...unhurried, drained$, unsent: () => unsent }
    const { batches, turns, runTurn } = scene(5, { bounds, pressure })
    expect([counts(batches), turns.length]).toEqual([[1, 1], 0])
    unsent = 0
    drained$.next()
    expect(turns).toHaveLength(1)
    runTurn()
    expect(counts(batches)).toEqual([1, 1, 1, 1])
  })
})

describe('a live client', () => {
  it('gets each record as a batch of its own, with its length', () => {
    const { session, batches } = scene(0)
    session.record(settled)
    expect(batches).toMatchObject([{ length: batches[0]?.lines[0]?.length, endsTick: false }])
  })

  it('gets no pieces with deltas off, but each line and each status', () => {
    const { session, batches } = scene(0, { deltas: false })
    for (const event of [piece, output, settled, status]) session.record(event)
    const types = batches.map(({ lines }) => /"type":"(agent_settled|status)"/.exec(lines.join(''))?.[1])
    expect(types).toEqual(['agent_settled', 'status'])
  })

  it('gets the records of a tick as one batch, or earlier by a flush, until it is unsubscribed', () => {
    const pressure = { ...unhurried, takesBatches: true, flushes: new Set<() => void>() }
    const { session, batches, ticks, subscription } = scene(0, { pressure })
    session.record(settled)
    session.record(settled)
    expect(batches).toEqual([])
    ticks.shift()?.()
    session.record(settled)
    for (const flush of pressure.flushes) flush()
    expect(counts(batches)).toEqual([2, 1])
    subscription.unsubscribe()
    expect(pressure.flushes.size).toBe(0)
  })

  it('gets joined pieces after the time, also if it takes batches', () => {
    vi.useFakeTimers()
    const pressure = { ...unhurried, takesBatches: true, flushes: new Set<() => void>() }
    const { session, batches, ticks } = scene(0, { pressure, joinMs: 20 })
    session.record({ ...piece, delta: { type: 'text_delta', contentIndex: 0, offset: 1, text: 'a' } })
    session.record({ ...piece, delta: { type: 'text_delta', contentIndex: 0, offset: 2, text: 'b' } })
    expect([batches.length, ticks.length, pressure.flushes.size]).toEqual([0, 0, 0])
    vi.advanceTimersByTime(20)
    expect(batches.map(({ lines }) => lines.length)).toEqual([1])
    vi.useRealTimers()
  })
})
