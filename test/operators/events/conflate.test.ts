// Tests `conflate`, which joins neighbouring events to emit fewer of them.
import { Subject, from, range } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import fc from 'fast-check'
import { conflate, conflatedEvents, conflatedLength } from '../../../lib/operators/events/conflate.ts'
import { longestDelay } from '../../../lib/operators/core/time-limits.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { letters, output, piece, toolEnd, update } from './event-letters.ts'

const events: Record<string, AgentEvent> = {
  ...letters,
  c: piece('!', 2),
  A: piece('Hi', 0),
  B: piece('Hi!', 0),
  z: piece('later', 2, 1),
  h: piece('hm', 0, 0, 'thinking_delta'),
  n: piece('x', 9),
  p: output('one', 0),
  q: output('two', 3),
  P: output('onetwo', 0),
  w: output('else', 3, { toolCallId: 'call_2' }),
  v: output('sad', 3, { updateType: 'stderr' }),
  X: toolEnd(),
}

afterEach(() => {
  vi.restoreAllMocks() // before the timers: a spy on a fake timer would put the fake one back
  vi.useRealTimers()
})

describe('conflate', () => {
  it.each([
    ['stays open if the source never emits', '---', '---', '^'],
    ['completes with an empty source', '--|', '--|', '^-!'],
    ['emits one piece when its time is over', '-a-', '------a', '^'],
    ['joins pieces within its time', '-a-b-c-', '------B', '^'],
    ['starts a new time with the next piece', '-a-b-------c-', '------A---------c', '^'],
    ['emits every other event at once', '-t-m-T-', '-t-m-T-', '^'],
    ['emits waiting pieces before another event', '-a-be', '----(Ae)', '^'],
    ['emits waiting pieces before it completes', '-a-b|', '----(A|)', '^---!'],
    ['emits waiting pieces before it fails', '-a-b#', '----(A#)', '^---!'],
    ['fails with its source', '-t-#', '-t-#', '^--!'],
    ['joins the updates of a call', '-p-q-', '------P', '^'],
    ['emits a call’s output before its end', '-p-q-X', '-----(PX)', '^'],
    ['does not join pieces of different blocks', '-a-z-', '------(az)', '^'],
    ['does not join text and thinking', '-h-c-', '------(hc)', '^'],
    ['does not join over a gap', '-a-n-', '------(an)', '^'],
    ['does not join repeated pieces', '-a-a-', '------(aa)', '^'],
    ['does not join output of different calls', '-p-w-', '------(pw)', '^'],
    ['does not join output of different kinds', '-p-v-', '------(pv)', '^'],
    ['does not join over an event in between', '-p-w-q-', '------(pwq)', '^'],
  ])('%s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold(marble, events)
      expectObservable(source$.pipe(conflate({ ms: 5 }))).toBe(expected, events)
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('drops waiting events and unsubscribes its source when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a-b-c', events)
      expectObservable(source$.pipe(conflate({ ms: 5 })), '^---!').toBe('-----')
      expectSubscriptions(source$.subscriptions).toBe('    ^---!')
    })
  })

  it('does not join pieces of different messages', () => {
    const other = update({ type: 'text_delta', contentIndex: 0, offset: 1, text: 'i' }, 'other')
    expect(conflateAll([letters.a, other])).toEqual([letters.a, other])
  })

  it('keeps the last progress and the first name', () => {
    const named = update({ type: 'toolcall_delta', contentIndex: 0, offset: 0, text: '{', id: 'c', name: 'read' })
    const joined = conflateAll([
      output('a', 0, { progressPercent: 10 }),
      output('b', 1, { progressPercent: 20 }),
      output('c', 2),
      named,
      piece('}', 1, 0, 'toolcall_delta'),
    ])
    expect(joined).toEqual([
      output('abc', 0, { progressPercent: 20 }),
      update({ type: 'toolcall_delta', contentIndex: 0, offset: 0, text: '{}', id: 'c', name: 'read' }),
    ])
  })

  it('emits early at its buffer limits', () => {
    const source$ = new Subject<AgentEvent>()
    const received: AgentEvent[] = []
    const subscription = source$.pipe(conflate({ ms: 1_000 })).subscribe((event) => received.push(event))
    source$.next(piece('x'.repeat(conflatedLength - 1), 0))
    expect(received).toHaveLength(0)
    source$.next(piece('y', conflatedLength - 1))
    expect(received).toHaveLength(1)
    for (let count = 1; count < conflatedEvents; count++) source$.next(piece('z', 0, count % 2))
    expect(received).toHaveLength(1)
    source$.next(piece('z', 0))
    expect(received).toHaveLength(1 + conflatedEvents)
    subscription.unsubscribe()
  })

  it('emits a re-entrant event after the current delivery', () => {
    const source$ = new Subject<AgentEvent>()
    const received: string[] = []
    source$.pipe(conflate({ ms: 5 })).subscribe({
      next: (event) => {
        received.push(event.type)
        if (received.length !== 1) return
        source$.next(letters.T)
        source$.next(letters.a)
        source$.complete()
        received.push('returned')
      },
      complete: () => received.push('complete'),
    })
    source$.next(letters.a)
    source$.next(piece('x', 0, 1))
    source$.next(letters.t)
    const first = ['message_update', 'returned', 'message_update', 'turn_start']
    expect(received).toEqual([...first, 'turn_end', 'message_update', 'complete'])
  })

  it('emits a re-entrant piece without a timer', () => {
    vi.useFakeTimers()
    const source$ = new Subject<AgentEvent>()
    const received: AgentEvent[] = []
    const subscription = source$.pipe(conflate({ ms: 5 })).subscribe((event) => {
      received.push(event)
      if (received.length === 1) source$.next(letters.a)
    })
    source$.next(letters.t)
    expect([received, vi.getTimerCount()]).toEqual([[letters.t, letters.a], 0])
    subscription.unsubscribe()
  })

  it('arms one timer for all waiting events, and leaves none behind', () => {
    vi.useFakeTimers()
    const armed = vi.spyOn(globalThis, 'setInterval')
    const source$ = new Subject<AgentEvent>()
    const subscription = source$.pipe(conflate({ ms: 5 })).subscribe()
    range(0, 100).subscribe((offset) => source$.next(piece('x', offset)))
    expect(armed).toHaveBeenCalledTimes(1)
    source$.next(letters.t)
    expect(vi.getTimerCount()).toBe(0)
    source$.next(letters.a)
    subscription.unsubscribe()
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([longestDelay + 1, Infinity, -1, NaN])('throws bad_request for %d ms', (ms) => {
    expect(() => conflate({ ms })).toThrow(expect.objectContaining({ code: 'bad_request' }) as Error)
  })

  it('drops and reorders nothing, for any events', () => {
    const letter = fc.constantFrom('a', 'b', 'c', 't', 'T', 'z', 'h', 'p', 'q', 'w', 'v', 'X')
    fc.assert(
      fc.property(fc.array(letter, { maxLength: 40 }), (names) => {
        const input = names.map((name) => events[name] ?? letters.t)
        expect(conflateAll(input).flatMap(unitsOf)).toEqual(input.flatMap(unitsOf))
      }),
    )
  })
})

function conflateAll(input: readonly AgentEvent[]): AgentEvent[] {
  const received: AgentEvent[] = []
  from(input)
    .pipe(conflate({ ms: 5 }))
    .subscribe((event) => received.push(event))
  return received
}

/** Splits an event into UTF-16 units, each with its position: the result does not depend on how pieces are joined. */
function unitsOf(event: AgentEvent): string[] {
  if (event.type === 'tool_execution_update') {
    const { toolCallId, updateType, offset, content } = event
    return Array.from(content, (unit, index) => `${toolCallId} ${updateType} ${offset + index} ${unit}`)
  }
  if (event.type !== 'message_update' || !('offset' in event.delta)) return [event.type]
  const { type, contentIndex, offset, text } = event.delta
  return Array.from(text, (unit, index) => `${type} ${contentIndex} ${offset + index} ${unit}`)
}
