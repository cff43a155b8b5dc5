// Tests the switch that stores the first reason of a stop.
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { createStopSwitch } from '../../../lib/streams/rx/stop-switch.ts'
import { marbles } from '../../../lib/testing/marbles.ts'

describe('createStopSwitch', () => {
  it('has no reason before it is stopped', () => {
    const stop = createStopSwitch()
    expect([stop.reason, stop.failure]).toEqual([undefined, undefined])
  })

  it('keeps the first reason and reports that it came first', () => {
    const stop = createStopSwitch()
    const failure = new Failure('storage', 'disk full')
    expect(stop.stop('error', failure)).toBe(true)
    expect(stop.stop('aborted')).toBe(false)
    expect([stop.reason, stop.failure]).toEqual(['error', failure])
  })

  it('has its reason before it emits', () => {
    const stop = createStopSwitch()
    const received: unknown[] = []
    stop.stop$.subscribe(() => received.push(stop.reason))
    stop.stop('aborted')
    expect(received).toEqual(['aborted'])
  })

  it('emits once and completes, and emits at once to a late subscriber', () => {
    marbles(({ cold, expectObservable }) => {
      const stop = createStopSwitch()
      cold('--s-s|').subscribe(() => stop.stop('aborted'))
      expectObservable(stop.stop$).toBe('--(s|)', { s: undefined })
      expectObservable(stop.stop$, '-----^').toBe('-----(s|)', { s: undefined })
    })
  })

  it('can be stopped from within its emission', () => {
    const stop = createStopSwitch()
    const received: unknown[] = []
    stop.stop$.subscribe(() => received.push(stop.stop('error')))
    stop.stop('aborted')
    expect([received, stop.reason]).toEqual([[false], 'aborted'])
  })
})
