// Tests `untilSettled`, which ends the events of a session when its run has settled.
import { Subject, from } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { untilSettled } from '../../../lib/operators/events/select-events.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { letters } from './event-letters.ts'

describe('untilSettled', () => {
  it.each([
    ['stays open if the source never emits', '---', '---', '^'],
    ['completes with an empty source', '--|', '--|', '^-!'],
    ['completes at an agent_settled that is the only event', '-s-', '-(s|)', '^!'],
    ['completes at agent_settled, not at agent_end', '-r-t-R-r-R-s-r', '-r-t-R-r-R-(s|)', '^----------!'],
    ['completes with a source without agent_settled', '-r-t|', '-r-t|', '^---!'],
    ['fails with its source', '-r-#', '-r-#', '^--!'],
    ['ignores an error after the end', '-s#', '-(s|)', '^!'],
  ])('%s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>(marble, letters)
      expectObservable(source$.pipe(untilSettled())).toBe(expected, letters)
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('unsubscribes its source when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>('-r-t-s', letters)
      expectObservable(source$.pipe(untilSettled()), '^---!').toBe('-r-t', letters)
      expectSubscriptions(source$.subscriptions).toBe('        ^---!')
    })
  })

  it('does not emit events of a run that starts at `agent_settled` [LOOP-26i]', () => {
    const source$ = new Subject<AgentEvent>()
    const received: string[] = []
    source$.pipe(untilSettled()).subscribe({
      next: ({ type }) => {
        received.push(type)
        if (type === 'agent_settled') source$.next(letters.r)
      },
      complete: () => received.push('complete'),
    })
    source$.next(letters.s)
    expect(received).toEqual(['agent_settled', 'complete'])
  })

  it('waits for the next `agent_settled` in each subscription', () => {
    const settled$ = from<AgentEvent[]>([letters.r, letters.s, letters.r]).pipe(untilSettled())
    const received: string[] = []
    settled$.subscribe(({ type }) => received.push(type))
    settled$.subscribe(({ type }) => received.push(type))
    expect(received).toEqual(['agent_start', 'agent_settled', 'agent_start', 'agent_settled'])
  })
})
