// Tests `addListener`: calls, removal, and the report of a listener that throws.
import { Subject } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { addListener } from '../../../lib/session/pipeline/session-readers.ts'
import type { PendingRecord, SessionRecord } from '../../../lib/streams/log/log-line.ts'
import { sampleEvents } from '../../streams/events/samples.ts'

function scene() {
  const record$ = new Subject<SessionRecord>()
  const published: PendingRecord[] = []
  const publish = (pending: PendingRecord): void => void published.push(pending)
  return { bus: { records$: record$, publish }, record$, published }
}

const custom: SessionRecord = { event: sampleEvents.custom, at: 1, seq: 1 }
const settled: SessionRecord = { event: sampleEvents.agent_settled, at: 2, seq: 2 }

describe('addListener', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('calls the listener with each event until it is removed', () => {
    const { bus: own, record$ } = scene()
    const types: string[] = []
    const remove = addListener(own, ({ type }) => types.push(type))
    record$.next(custom)
    record$.next(settled)
    remove()
    record$.next(custom)
    expect([types, record$.observed]).toEqual([['custom', 'agent_settled'], false])
  })

  it('publishes and prints the first throw of a listener, and calls it for later events', () => {
    const stderr = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { bus: own, record$, published } = scene()
    let calls = 0
    addListener(own, () => {
      calls += 1
      throw new Error('broken')
    })
    for (const record of [custom, settled, custom]) record$.next(record)
    const message = 'A listener failed at custom: broken'
    expect(calls).toBe(3)
    expect(stderr.mock.calls).toEqual([[`rxpi: ${message}`]])
    expect(published).toEqual([
      { event: { type: 'warning', code: 'listener_failed', message, context: { event: 'custom' }, recoverable: true } },
    ])
  })
})
