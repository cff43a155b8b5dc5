// Tests `turns`, which splits a stream of events into one Observable a turn.
import { Subject, concatMap, delay, from, mergeAll, mergeMap, of, take, tap, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { turns } from '../../../lib/operators/events/turns.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { shortNotation } from '../../../lib/testing/short-name.ts'
import { letters } from './event-letters.ts'

const twoTurns: readonly AgentEvent[] = (['r', 't', 'm', 'T', 't', 'm', 'e', 'T', 'R', 's'] as const).map(
  (letter) => letters[letter],
)

describe('turns', () => {
  // a turn's own marbles start with its `turn_start`
  it.each<[string, string, string, readonly string[], string]>([
    ['stays open if the source never emits', '---', '---', [], '^'],
    ['completes with an empty source', '--|', '--|', [], '^-!'],
    ['emits no turn for events outside of turns', '-r-R-s|', '------|', [], '^-----!'],
    ['emits one turn, from its start to its end', '-r-t-m-T-R|', '---x------|', ['t-m-(T|)'], '^---------!'],
    ['emits two turns', '-t-T-R-t-m-T|', '-x-----y----|', ['t-(T|)', 't-m-(T|)'], '^-----------!'],
    ['emits no turn without its start', '-m-T-t-T|', '-----x--|', ['t-(T|)'], '^-------!'],
    ['completes a turn at the start of another', '-t-m-t-T|', '-x---y--|', ['t-m-|', 't-(T|)'], '^-------!'],
    ['completes the open turn with its source', '-t-m|', '-x--|', ['t-m|'], '^---!'],
    ['fails with its source, the open turn too', '-t-m-#', '-x---#', ['t-m-#'], '^----!'],
    ['fails with its source between turns', '-t-T-#', '-x---#', ['t-(T|)'], '^----!'],
  ])('%s', (_, marble, outer, inners, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>(marble, letters)
      const [x, y] = inners.map((inner) => cold<AgentEvent>(inner, letters))
      expectObservable(source$.pipe(turns())).toBe(outer, { x, y })
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('unsubscribes its source when outer stream and turns are unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>('-t-m-T', letters)
      expectObservable(source$.pipe(turns(), mergeAll()), '^---!').toBe('-t-m', letters)
      expectSubscriptions(source$.subscriptions).toBe('          ^---!')
    })
  })

  it('unsubscribes its source when only the outer stream was subscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>('-t-m-T', letters)
      const one$ = source$.pipe(
        turns(),
        mergeMap(() => of('turn')),
      )
      expectObservable(one$, '                 ^--!').toBe('-x-', { x: 'turn' })
      expectSubscriptions(source$.subscriptions).toBe('^--!')
    })
  })

  it('keeps its source for a turn that is still subscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>('-t-m-T-t-T|', letters)
      expectObservable(source$.pipe(turns(), take(1), mergeAll())).toBe('-t-m-(T|)', letters)
      expectSubscriptions(source$.subscriptions).toBe('                 ^----!')
    })
  })

  it('unsubscribes its source when the last turn is unsubscribed', () => {
    const source$ = new Subject<AgentEvent>()
    source$.pipe(turns(), take(1), mergeAll(), take(2)).subscribe()
    source$.next(letters.t)
    expect(source$.observed).toBe(true)
    source$.next(letters.m)
    expect(source$.observed).toBe(false)
  })

  it('emits whole turns if all events come synchronously', () => {
    const received: string[] = []
    from(twoTurns)
      .pipe(
        turns(),
        concatMap((turn$) => turn$.pipe(toArray())),
      )
      .subscribe((events) => received.push(shortNotation(events)))
    expect(received).toEqual(['TS ms(asst) TE', 'TS ms(asst) me(asst) TE'])
  })

  it('stops a synchronous source that has no subscriber left', () => {
    const received: string[] = []
    from(twoTurns)
      .pipe(turns(), take(1), mergeAll())
      .subscribe((event) => received.push(event.type))
    expect(received).toEqual(['turn_start', 'message_start', 'turn_end'])
  })

  it('emits a turn whole if its end triggers the next', () => {
    const source$ = new Subject<AgentEvent>()
    const received: string[] = []
    const startNext = ({ type }: AgentEvent): void => {
      if (type === 'turn_end' && received.length === 0) source$.next(letters.t)
    }
    source$
      .pipe(
        turns(),
        concatMap((turn$) => turn$.pipe(tap(startNext), toArray())),
      )
      .subscribe((events) => received.push(shortNotation(events)))
    for (const event of [letters.t, letters.T, letters.m, letters.T]) source$.next(event)
    expect(received).toEqual(['TS TE', 'TS ms(asst) TE'])
  })

  it('replays nothing to a late subscriber of a turn', () => {
    marbles(({ cold, expectObservable }) => {
      const source$ = cold<AgentEvent>('-t-m-T-|', letters)
      expectObservable(source$.pipe(turns(), delay(3), mergeAll())).toBe('-----T-|', letters)
      expectObservable(source$.pipe(turns(), delay(5), mergeAll())).toBe('-------|')
    })
  })

  it('completes for a subscriber after the last one has unsubscribed', () => {
    const source$ = new Subject<AgentEvent>()
    let turn$: Observable<AgentEvent> | undefined
    const subscription = source$.pipe(turns()).subscribe((options$) => {
      turn$ = options$
    })
    source$.next(letters.t)
    subscription.unsubscribe()
    const emitted: string[] = []
    turn$?.subscribe({ next: ({ type }) => emitted.push(type), complete: () => emitted.push('complete') })
    source$.next(letters.m)
    expect(emitted).toEqual(['complete'])
  })
})
