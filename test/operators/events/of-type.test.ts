// Tests `ofType`, which selects events by type and narrows their type.
import { EMPTY, Subject, of, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { ofType } from '../../../lib/operators/events/select-events.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { letters } from './event-letters.ts'

describe('ofType', () => {
  it.each([
    ['stays open if the source never emits', '---', '---', '^'],
    ['completes with an empty source', '--|', '--|', '^-!'],
    ['passes on an event of the type', '-t-|', '-t-|', '^--!'],
    ['drops events of other types', '-t-m-o-T-s|', '-t-----T--|', '^---------!'],
    ['fails with its source', '-t-m-#', '-t---#', '^----!'],
  ])('%s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>(marble, letters)
      expectObservable(source$.pipe(ofType('turn_start', 'turn_end'))).toBe(expected, letters)
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('unsubscribes its source when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>('-t-T-t-T', letters)
      expectObservable(source$.pipe(ofType('turn_end')), '^---!').toBe('---T', letters)
      expectSubscriptions(source$.subscriptions).toBe('          ^---!')
    })
  })

  it('unsubscribes its source after take(n)', () => {
    const source$ = new Subject<AgentEvent>()
    source$.pipe(ofType('turn_end'), take(1)).subscribe()
    source$.next(letters.t)
    expect(source$.observed).toBe(true)
    source$.next(letters.T)
    expect(source$.observed).toBe(false)
  })

  it('narrows the type of the events', () => {
    const reasons: string[] = []
    of<AgentEvent[]>(letters.t, letters.R)
      .pipe(ofType('agent_end'))
      .subscribe((event) => reasons.push(event.terminationReason))
    expect(reasons).toEqual(['stopped'])
    const none$: Observable<AgentEvent> = EMPTY
    none$.pipe(ofType('turn_start', 'turn_end')).subscribe((event) => {
      expectTypeOf(event).toEqualTypeOf<EventNamed<'turn_start'> | EventNamed<'turn_end'>>()
      if (event.type === 'turn_end') expectTypeOf(event.willContinue).toEqualTypeOf<boolean>()
    })
  })

  it('accepts known types only, and at least one', () => {
    // @ts-expect-error there is no such event
    expect(ofType('turn_over')).toBeTypeOf('function')
    // @ts-expect-error nothing would ever come
    expect(ofType()).toBeTypeOf('function')
  })
})
