// Tests the operators that derive figures and states: `costMeter`, `perSecond`, `foldEvents`.
import { Subject, of } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { costMeter, foldEvents, perSecond } from '../../../lib/operators/events/measure-events.ts'
import type { CostReading, RecordedEvent } from '../../../lib/operators/events/measure-events.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { emptySession, foldSession, transcript } from '../../../lib/streams/state/fold-session.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { assistant, sampleEvents, sampleUsage, user } from '../../streams/events/samples.ts'
import { letters, messageEnd } from './event-letters.ts'

afterEach(() => {
  vi.useRealTimers()
})

const unpriced = { ...sampleUsage, cost: 'unknown' } as const
const events: Record<string, AgentEvent> = {
  ...letters,
  n: messageEnd(assistant([], { usage: unpriced }), 'next'),
  k: { ...sampleEvents.compaction, usage: sampleUsage },
  l: { ...sampleEvents.compaction, usage: undefined } as unknown as AgentEvent,
}
const readings: Record<string, CostReading> = {
  1: { usage: sampleUsage, usd: 1.05, unpriced: 0 },
  2: {
    usage: { ...unpriced, input: 6, output: 8, cacheRead: 2, cacheWrite: 4, totalTokens: 20 },
    usd: 1.05,
    unpriced: 1,
  },
  0: { usage: unpriced, usd: 0, unpriced: 1 },
}

describe('costMeter', () => {
  it.each([
    ['stays open if the source never emits', '---', '---', '^'],
    ['completes with an empty source', '--|', '--|', '^-!'],
    [
      'emits the total after an answer, and for no other event',
      '-r-u-U-m-e-T-s|',
      '---------1----|',
      '^-------------!',
    ],
    ['counts an answer of unknown cost', '-e-n-|', '-1-2-|', '^----!'],
    ['begins with an unknown cost', '-n-|', '-0-|', '^--!'],
    ['counts a compaction with a usage, and none without', '-l-k|', '---1|', '^---!'],
    ['fails with its source', '-e-#', '-1-#', '^--!'],
  ])('%s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold(marble, events)
      expectObservable(source$.pipe(costMeter())).toBe(expected, readings)
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('unsubscribes its source when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-e-e', events)
      expectObservable(source$.pipe(costMeter()), '^-!').toBe('-1', readings)
      expectSubscriptions(source$.subscriptions).toBe('    ^-!')
    })
  })

  it('begins with nothing at each subscription', () => {
    const cost$ = of<AgentEvent>(letters.e).pipe(costMeter())
    const received: number[] = []
    cost$.subscribe(({ usd }) => received.push(usd))
    cost$.subscribe(({ usd }) => received.push(usd))
    expect(received).toEqual([1.05, 1.05])
  })
})

describe('perSecond', () => {
  const rates = { 0: 0, 1: 1, 2: 2, 3: 3 }
  it.each([
    ['stays open if the source never emits', '---', '---', '^'],
    ['completes with an empty source', '--|', '--|', '^-!'],
    ['emits the values of each piece of time, then 0 once', '-ab-------------', '-----------2---------0', '^'],
    ['goes on measuring while values come', '-a----------b-c', '-----------1---------2---------0', '^'],
    [
      'begins a new piece with the next value',
      '-a---------------------------b',
      '-----------1---------0-----------------1---------0',
      '^',
    ],
    ['emits the open piece at the end', '-abc|', '----(3|)', '^---!'],
    ['drops the open piece on an error', '-ab#', '---#', '^--!'],
  ])('%s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold(marble)
      const rate$ = source$.pipe(perSecond({ everyMs: 10, sizeOf: () => 0.01 }))
      expectObservable(rate$).toBe(expected, rates)
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('counts values, or what sizeOf returns', () => {
    marbles(({ cold, expectObservable }) => {
      const text$ = cold('-a-b', { a: 'one', b: 'three' })
      const end = ' 999ms '
      expectObservable(text$.pipe(perSecond())).toBe(`--${end}2 999ms 0`, { 2: 2, 0: 0 })
      expectObservable(text$.pipe(perSecond({ sizeOf: ({ length }) => length }))).toBe(`--${end}8 999ms 0`, {
        8: 8,
        0: 0,
      })
    })
  })

  it('unsubscribes its source and clears its timer when it is unsubscribed', () => {
    vi.useFakeTimers()
    const source$ = new Subject<string>()
    const subscription = source$.pipe(perSecond()).subscribe()
    expect(vi.getTimerCount()).toBe(0)
    source$.next('a')
    expect(vi.getTimerCount()).toBe(1)
    subscription.unsubscribe()
    expect([source$.observed, vi.getTimerCount()]).toEqual([false, 0])
  })

  it('leaves no timer if the subscriber of a rate unsubscribes', () => {
    vi.useFakeTimers()
    const source$ = new Subject<string>()
    const subscription = source$.pipe(perSecond()).subscribe(() => subscription.unsubscribe())
    source$.next('a')
    vi.advanceTimersByTime(1_000)
    expect([source$.observed, vi.getTimerCount()]).toEqual([false, 0])
  })

  it('fails if sizeOf throws, without a timer', () => {
    vi.useFakeTimers()
    const broken = new Error('broken')
    const errors: unknown[] = []
    const sizeOf = (): number => {
      throw broken
    }
    of('a')
      .pipe(perSecond({ sizeOf }))
      .subscribe({ error: (error: unknown) => errors.push(error) })
    expect([errors, vi.getTimerCount()]).toEqual([[broken], 0])
  })

  it.each([0, -1, NaN, 2_147_483_648])('refuses everyMs %d', (everyMs) => {
    expect(() => perSecond({ everyMs })).toThrow(expect.objectContaining({ code: 'bad_request' }))
  })
})

describe('foldEvents', () => {
  const received = (...input: readonly (AgentEvent | RecordedEvent)[]) => {
    const states: ReturnType<typeof emptySession>[] = []
    of(...input)
      .pipe(foldEvents())
      .subscribe((state) => states.push(state))
    return states
  }

  it.each([
    ['emits nothing before the first event', '---', '---', '^'],
    ['completes with an empty source', '--|', '--|', '^-!'],
    ['emits a state for each event', '-r-t|', '-r-t|', '^---!'],
    ['fails with its source', '-r-#', '-r-#', '^--!'],
  ])('%s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>(marble, letters)
      const states = { r: received(letters.r)[0], t: received(letters.r, letters.t)[1] }
      expectObservable(source$.pipe(foldEvents())).toBe(expected, states)
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('unsubscribes its source when it is unsubscribed', () => {
    const source$ = new Subject<AgentEvent>()
    const subscription = source$.pipe(foldEvents()).subscribe()
    expect(source$.observed).toBe(true)
    subscription.unsubscribe()
    expect(source$.observed).toBe(false)
  })

  it('folds events to the transcript', () => {
    const states = received(letters.r, letters.t, letters.u, letters.U, letters.m, letters.o, letters.a)
    expect(transcript(states.at(-1) ?? emptySession())).toEqual([user()])
    expect(states.at(-1)?.open?.message.content).toEqual([{ type: 'text', text: 'H' }])
    expect(states.at(-1)?.seq).toBe(0)
  })

  it('folds records, and the event values of a client, with their numbers', () => {
    const record = { event: letters.r, seq: 4, at: 5, runId: 'runaaaaa' }
    const expected = foldSession(emptySession(), record)
    expect(received(record)).toEqual([expected])
    expect(received({ type: 'event', ...record } as RecordedEvent)).toEqual([expected])
    expect(expected.seq).toBe(4)
  })

  it('begins with a state of its own at each subscription', () => {
    const state$ = of<AgentEvent>(letters.U).pipe(foldEvents())
    const entries: number[] = []
    state$.subscribe((state) => entries.push(state.entries.size))
    state$.subscribe((state) => entries.push(state.entries.size))
    expect(entries).toEqual([1, 1])
  })

  it('begins with the state that it is called with', () => {
    const initial = () => foldSession(emptySession(), { event: letters.U, seq: 7 })
    const seqs: number[] = []
    of<AgentEvent>(letters.e)
      .pipe(foldEvents(initial))
      .subscribe((state) => seqs.push(state.seq, state.entries.size))
    expect(seqs).toEqual([7, 2])
  })
})
