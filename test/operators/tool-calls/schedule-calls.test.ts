// Tests `scheduleCalls`, which runs calls side by side as far as their locks allow.
import { NEVER, of, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { ReadyCall } from '../../../lib/operators/ports/call-scheduler.ts'
import { scheduleCalls } from '../../../lib/operators/tool-calls/schedule-calls.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { StopSwitch } from '../../../lib/streams/rx/stop-switch.ts'
import { createStopSwitch } from '../../../lib/streams/rx/stop-switch.ts'
import type { ToolLocks } from '../../../lib/streams/ports/locks.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { timeline } from '../../../lib/testing/timeline.ts'

interface Spec extends ToolLocks {
  readonly mustSerial?: boolean
}

function ready(id: string, { mustSerial = false, ...locks }: Spec = {}): ReadyCall {
  return {
    call: { type: 'toolCall', id, name: id, arguments: {} },
    tool: fakeTool(id, 'never executed here', { mustSerial }),
    args: {},
    argsChanged: false,
    locks,
  }
}

function toolEvent(id: string, what: string): AgentEvent {
  return { type: 'custom', customType: what, data: id }
}

const skip = ({ call }: ReadyCall): AgentEvent => toolEvent(call.id, 'skip')

function nameOf(event: AgentEvent): string {
  return event.type === 'custom' ? `${event.customType} ${String(event.data)}` : event.type
}

/** The timeline of a batch: each call emits its start and, `ms` later, its end. */
function playSchedule(
  calls: readonly ReadyCall[],
  ms: (id: string) => number = () => 5,
  stop = createStopSwitch(),
): string {
  return timeline(
    ({ cold }) =>
      scheduleCalls(calls, {
        stop,
        skip,
        execute: ({ call }) => {
          const length = ms(call.id)
          const values = { s: toolEvent(call.id, '+'), e: toolEvent(call.id, '-') }
          return length === 0 ? of(values.s, values.e) : cold(`s ${length - 1}ms (e|)`, values)
        },
      }),
    { name: nameOf },
  )
}

describe('scheduleCalls', () => {
  it('runs calls without locks side by side, started in call order', () => {
    expect(playSchedule([ready('a'), ready('b'), ready('c')])).toBe('0:+ a,+ b,+ c 5:- a,- b,- c,|')
  })

  it('completes with the last call to end', () => {
    expect(playSchedule([ready('a'), ready('b')], (id) => (id === 'a' ? 9 : 2))).toBe('0:+ a,+ b 2:- b 9:- a,|')
  })

  it('completes at once without calls', () => {
    expect(playSchedule([])).toBe('0:|')
  })

  it.each<[string, Spec, Spec]>([
    ['two writers of one name', { write: ['x'] }, { write: ['x'] }],
    ['a writer and a reader', { write: ['x'] }, { read: ['x'] }],
    ['a reader and a writer', { read: ['x'] }, { write: ['x', 'y'] }],
    ['a `mustSerial` call and one without locks', { mustSerial: true }, {}],
    ['a call without locks and a `mustSerial` one', {}, { mustSerial: true }],
  ])('runs %s one after the other, in call order [LOOP-6a, LOOP-6b]', (_, one, two) => {
    expect(playSchedule([ready('a', one), ready('b', two)])).toBe('0:+ a 5:- a,+ b 10:- b,|')
  })

  it.each<[string, Spec, Spec]>([
    ['two readers', { read: ['x'] }, { read: ['x'] }],
    ['writers of different names', { write: ['x'] }, { write: ['y'] }],
    ['a reader of one and a writer of another', { read: ['x'] }, { write: ['y'] }],
  ])('runs %s side by side', (_, one, two) => {
    expect(playSchedule([ready('a', one), ready('b', two)])).toBe('0:+ a,+ b 5:- a,- b,|')
  })

  it('starts a call without a clash before those that wait', () => {
    const calls = [ready('a', { write: ['x'] }), ready('b', { write: ['x'] }), ready('c', { write: ['y'] })]
    expect(playSchedule(calls)).toBe('0:+ a,+ c 5:- a,- c,+ b 10:- b,|')
  })

  it('never starts a call before an earlier one that it clashes with [LOOP-6b]', () => {
    const calls = [ready('a', { read: ['x'] }), ready('b', { write: ['x'] }), ready('c', { read: ['x'] })]
    expect(playSchedule(calls)).toBe('0:+ a 5:- a,+ b 10:- b,+ c 15:- c,|')
  })

  it('runs a `mustSerial` call after all before and before all behind it [LOOP-6c]', () => {
    const calls = [ready('a'), ready('b'), ready('c', { mustSerial: true }), ready('d'), ready('e')]
    expect(playSchedule(calls)).toBe('0:+ a,+ b 5:- a,- b,+ c 10:- c,+ d,+ e 15:- d,- e,|')
  })

  it('runs 5,000 calls that each wait for the one before, without recursion', () => {
    const calls = Array.from({ length: 5_000 }, (_, index) => ready(`${index}`, { write: ['x'] }))
    let ends = 0
    scheduleCalls(calls, {
      stop: createStopSwitch(),
      skip,
      execute: ({ call }) => of(toolEvent(call.id, '-')),
    }).subscribe(() => ends++)
    expect(ends).toBe(5_000)
  })

  it('fails if a call’s Observable fails', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const other$ = cold<AgentEvent>('-----')
      const execute = ({ call }: ReadyCall): Observable<AgentEvent> =>
        call.id === 'a' ? cold<AgentEvent>('--#') : other$
      expectObservable(scheduleCalls([ready('a'), ready('b')], { stop: createStopSwitch(), skip, execute })).toBe('--#')
      expectSubscriptions(other$.subscriptions).toBe('^-!')
    })
  })

  it('unsubscribes all running calls when it is unsubscribed, and starts no further call', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const sources = { a: cold<AgentEvent>('---'), b: cold<AgentEvent>('---'), c: cold<AgentEvent>('---') }
      const calls = [ready('a'), ready('b'), ready('c', { mustSerial: true })]
      const execute = ({ call }: ReadyCall): Observable<AgentEvent> => sources[call.id as 'a' | 'b' | 'c']
      expectObservable(scheduleCalls(calls, { stop: createStopSwitch(), skip, execute }), '^-!').toBe('')
      expectSubscriptions(sources.a.subscriptions).toBe('^-!')
      expectSubscriptions(sources.b.subscriptions).toBe('^-!')
      expectSubscriptions(sources.c.subscriptions).toBe([])
    })
  })
})

describe('scheduleCalls at a stop', () => {
  const chain = (length: number) => Array.from({ length }, (_, index) => ready('abcdef'[index] ?? '', { write: ['x'] }))

  function stopping(stop: StopSwitch, at: number): void {
    timer(at).subscribe(() => stop.stop('aborted'))
  }

  it('skips waiting calls at once and lets running calls end', () => {
    const stop = createStopSwitch()
    const line = timeline(
      ({ cold }) => {
        stopping(stop, 2)
        const execute = ({ call }: ReadyCall): Observable<AgentEvent> =>
          cold('s----(e|)', { s: toolEvent(call.id, '+'), e: toolEvent(call.id, '-') })
        return scheduleCalls(chain(3), { stop, skip, execute })
      },
      { name: nameOf },
    )
    expect(line).toBe('0:+ a 2:skip b,skip c 5:- a,|')
  })

  it('skips everything if the stop came first', () => {
    const stop = createStopSwitch()
    stop.stop('aborted')
    expect(playSchedule([ready('a'), ready('b')], () => 5, stop)).toBe('0:skip a,skip b,|')
  })

  it('starts no further call if the stop comes from within an event', () => {
    const stop = createStopSwitch()
    const received: string[] = []
    scheduleCalls([ready('a'), ready('b'), ready('c')], {
      stop,
      skip,
      execute: ({ call }) => of(toolEvent(call.id, '+'), toolEvent(call.id, '-')),
    }).subscribe((event) => {
      received.push(nameOf(event))
      if (received.length === 1) stop.stop('aborted')
    })
    expect(received).toEqual(['+ a', 'skip b', 'skip c', '- a'])
  })

  it('starts no further call if the stop comes from within a skip', () => {
    const stop = createStopSwitch()
    const received: string[] = []
    scheduleCalls(chain(2), { stop, skip, execute: () => NEVER }).subscribe((event) => received.push(nameOf(event)))
    stop.stop('aborted')
    stop.stop('error')
    expect(received).toEqual(['skip b'])
  })
})

describe('scheduleCalls when it is interrupted', () => {
  it('checks before each start, skips the next calls and lets running calls end', () => {
    const answers = [false, false, true, true]
    const line = timeline(
      ({ cold }) =>
        scheduleCalls(
          [ready('a'), ready('b', { write: ['x'] }), ready('c', { write: ['x'] }), ready('d', { write: ['x'] })],
          {
            stop: createStopSwitch(),
            skip,
            isInterrupted: () => answers.shift() ?? false,
            execute: ({ call }) => cold('s----(e|)', { s: toolEvent(call.id, '+'), e: toolEvent(call.id, '-') }),
          },
        ),
      { name: nameOf },
    )
    expect(line).toBe('0:+ a,+ b 5:- a,- b,skip c,skip d,|')
  })

  it('starts calls again when it is no longer interrupted', () => {
    const answers = [true, false]
    const received: string[] = []
    scheduleCalls([ready('a', { mustSerial: true }), ready('b')], {
      stop: createStopSwitch(),
      skip,
      isInterrupted: () => answers.shift() ?? true,
      execute: ({ call }) => of(toolEvent(call.id, '+')),
    }).subscribe((event) => received.push(nameOf(event)))
    expect([received, answers]).toEqual([['skip a', '+ b'], []])
  })

  it('fails if the predicate throws', () => {
    marbles(({ expectObservable }) => {
      const broken = (): never => {
        throw new Error('broken')
      }
      const events$ = scheduleCalls([ready('a')], {
        stop: createStopSwitch(),
        skip,
        isInterrupted: broken,
        execute: () => NEVER,
      })
      expectObservable(events$).toBe('#', undefined, new Error('broken'))
    })
  })
})
