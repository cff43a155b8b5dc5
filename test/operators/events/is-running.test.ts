// Tests `isRunning`, which emits whether a run is on.
import { describe, it } from 'vitest'
import { isRunning } from '../../../lib/operators/events/select-events.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { letters } from './event-letters.ts'

const values = { t: true, f: false }

describe('isRunning', () => {
  it.each([
    ['emits false at first if the source never emits', '---', 'f--', '^'],
    ['completes with an empty source', '--|', 'f-|', '^-!'],
    ['emits true for a run, up to agent_settled', '-r-t-R-s-|', 'ft-----f-|', '^--------!'],
    ['emits each change once', '-s-r-r-s-s-|', 'f--t---f---|', '^----------!'],
    ['fails with its source', '-r-#', 'ft-#', '^--!'],
  ])('%s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>(marble, letters)
      expectObservable(source$.pipe(isRunning())).toBe(expected, values)
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('begins with true for a session that is at work', () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold<AgentEvent>('-r-s|', letters).pipe(isRunning(true))).toBe('t--f|', values)
    })
  })

  it('unsubscribes its source when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>('-r-s', letters)
      expectObservable(source$.pipe(isRunning()), '^-!').toBe('ft', values)
      expectSubscriptions(source$.subscriptions).toBe('    ^-!')
    })
  })
})
