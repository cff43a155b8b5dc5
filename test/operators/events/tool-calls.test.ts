// Tests `toolCalls`, which splits a stream of events into one Observable a tool call.
import { Subject, from, map, mergeAll, mergeMap, of, take, tap, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { toolCalls } from '../../../lib/operators/events/tool-call-events.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { letters, output, toolEnd, toolStart } from './event-letters.ts'

const events: Record<string, AgentEvent> = {
  ...letters,
  x: toolStart(),
  p: output('one', 0),
  q: output('two', 3),
  X: toolEnd(),
  y: toolStart('call_2'),
  z: output('other', 0, { toolCallId: 'call_2' }),
  Y: toolEnd('call_2'),
}

describe('toolCalls', () => {
  // a call's own marbles start with its `tool_execution_start`
  it.each<[string, string, string, readonly string[], string]>([
    ['stays open if the source never emits', '---', '---', [], '^'],
    ['completes with an empty source', '--|', '--|', [], '^-!'],
    ['emits no call for other events', '-r-t-T-s|', '--------|', [], '^-------!'],
    ['emits one call, from its start to its end', '-t-x-p-q-X-T|', '---a--------|', ['x-p-q-(X|)'], '^-----------!'],
    ['emits calls side by side', '-x-y-p-z-Y-X|', '-a-b--------|', ['x---p-----(X|)', 'y---z-(Y|)'], '^-----------!'],
    ['emits calls one after the other', '-x-X-y-Y|', '-a---b--|', ['x-(X|)', 'y-(Y|)'], '^-------!'],
    ['emits no call without its start', '-p-X-y-Y|', '-----a--|', ['y-(Y|)'], '^-------!'],
    ['leaves out a repeated piece', '-x-p-p-q-X|', '-a--------|', ['x-p---q-(X|)'], '^---------!'],
    ['completes a call whose id is started again', '-x-p-x-X|', '-a---b--|', ['x-p-|', 'x-(X|)'], '^-------!'],
    ['completes the open calls with its source', '-x-y-|', '-a-b-|', ['x---|', 'y-|'], '^----!'],
    ['fails with its source, the open calls too', '-x-y-#', '-a-b-#', ['x---#', 'y-#'], '^----!'],
  ])('%s', (_, marble, outer, inners, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>(marble, events)
      const [a, b] = inners.map((inner) => cold<AgentEvent>(inner, events))
      // without their property `start`, for the comparison
      expectObservable(
        source$.pipe(
          toolCalls(),
          map((call$) => call$.pipe()),
        ),
      ).toBe(outer, { a, b })
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('has the first event as its property start', () => {
    const starts: unknown[] = []
    from([toolStart('call_1'), toolEnd('call_1'), toolStart('call_2')])
      .pipe(toolCalls())
      .subscribe(({ start }) => starts.push(start))
    expect(starts).toEqual([toolStart('call_1'), toolStart('call_2')])
  })

  it('keeps its source for a call that is still subscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>('-x-p-X-y-Y|', events)
      expectObservable(source$.pipe(toolCalls(), take(1), mergeAll())).toBe('-x-p-(X|)', events)
      expectSubscriptions(source$.subscriptions).toBe('                     ^----!')
    })
  })

  it('unsubscribes its source when outer stream and calls are unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>('-x-p-X', events)
      expectObservable(source$.pipe(toolCalls(), mergeAll()), '^---!').toBe('-x-p', events)
      expectSubscriptions(source$.subscriptions).toBe('              ^---!')
    })
  })

  it('stops a synchronous source that has no subscriber left', () => {
    const received: string[] = []
    from([toolStart(), toolEnd(), toolStart('call_2'), toolEnd('call_2')])
      .pipe(
        tap(({ type, toolCallId }: ReturnType<typeof toolStart> & { toolCallId?: string }) =>
          received.push(`${type} ${toolCallId ?? ''}`),
        ),
        toolCalls(),
        take(1),
        mergeAll(),
      )
      .subscribe()
    expect(received).toEqual(['tool_execution_start call_1', 'tool_execution_end call_1'])
  })

  it('emits a call whole if its end triggers the next', () => {
    const source$ = new Subject<AgentEvent>()
    const received: string[][] = []
    source$
      .pipe(
        toolCalls(),
        mergeMap((call$) =>
          call$.pipe(
            tap(({ type, toolCallId }) => {
              if (type === 'tool_execution_end' && toolCallId === 'call_1') source$.next(toolStart('call_2'))
            }),
            map(({ type, toolCallId }) => `${type} ${toolCallId}`),
            toArray(),
          ),
        ),
      )
      .subscribe((types) => received.push(types))
    for (const event of [toolStart(), toolEnd(), toolEnd('call_2')]) source$.next(event)
    expect(received).toEqual([
      ['tool_execution_start call_1', 'tool_execution_end call_1'],
      ['tool_execution_start call_2', 'tool_execution_end call_2'],
    ])
    expect(source$.observed).toBe(true)
  })

  it('starts with empty state at each subscription', () => {
    const calls$ = of<AgentEvent[]>(toolStart(), output('one', 0), toolEnd()).pipe(toolCalls(), mergeAll(), toArray())
    const received: number[] = []
    calls$.subscribe(({ length }) => received.push(length))
    calls$.subscribe(({ length }) => received.push(length))
    expect(received).toEqual([3, 3])
  })
})
