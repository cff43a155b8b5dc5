// Tests that pieces of output are joined and emitted at a limited rate.
import { TestScheduler } from 'rxjs/testing'
import { map, Subject } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import type { ProcessEnd, ProcessEvent } from '../../../lib/host/process/process-event.ts'
import type { ToolProgress } from '../../../lib/streams/ports/tool.ts'
import { joinOutput } from '../../../lib/tools/shell/join-output.ts'

const end: ProcessEnd = { type: 'end', exitCode: 0, signal: null, cutShort: false, leftBehind: [], survivors: [] }
const out = (text: string): ProcessEvent => ({ type: 'output', stream: 'stdout', text })
const err = (text: string): ProcessEvent => ({ type: 'output', stream: 'stderr', text })

/** `out 3 "text"` for progress, `end` for the end. */
function describeValue(value: ToolProgress | ProcessEnd): string {
  if (value.type === 'end') return 'end'
  return `${value.updateType === 'stdout' ? 'out' : 'err'} ${value.offset ?? '-'} ${JSON.stringify(value.content)}`
}

interface Case {
  readonly source: string
  readonly values?: Record<string, ProcessEvent>
  readonly unsubscribe?: string
  readonly expected: string
  readonly shown?: Record<string, string>
  readonly subscription: string
}

function verify({ source, values, unsubscribe, expected, shown, subscription }: Case): void {
  const scheduler = new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted))
  scheduler.run(({ hot, expectObservable, expectSubscriptions }) => {
    const events$ = hot(source, values)
    const joined$ = events$.pipe(joinOutput({ maxUnits: 4 }), map(describeValue))
    expectObservable(joined$, unsubscribe).toBe(expected, shown)
    expectSubscriptions(events$.subscriptions).toBe(subscription)
  })
}

describe('joinOutput', () => {
  it.each<[string, Case]>([
    ['never', { source: '-', expected: '-', subscription: '^' }],
    ['empty', { source: '-|', expected: '-|', subscription: '^!' }],
    [
      'emits one piece at once',
      { source: '-a', values: { a: out('a') }, expected: '-a', shown: { a: 'out 0 "a"' }, subscription: '^' },
    ],
    [
      'several pieces: joined until 50 ms are over',
      {
        source: '   a 9ms b 9ms c',
        values: { a: out('a'), b: out('b'), c: out('c') },
        expected: ' a 49ms b',
        shown: { a: 'out 0 "a"', b: 'out 1 "bc"' },
        subscription: '^',
      },
    ],
    [
      'emits a piece after a pause at once again',
      {
        source: '   a 99ms b',
        values: { a: out('a'), b: out('b') },
        expected: ' a 99ms b',
        shown: { a: 'out 0 "a"', b: 'out 1 "b"' },
        subscription: '^',
      },
    ],
    [
      'both streams: one update an interval, the longer waiting one first, each with its own offset',
      {
        source: '   a 9ms b 9ms c 9ms d',
        values: { a: out('a'), b: err('E'), c: out('c'), d: err('F') },
        expected: ' a 49ms b 49ms c',
        shown: { a: 'out 0 "a"', b: 'err 0 "EF"', c: 'out 1 "c"' },
        subscription: '^',
      },
    ],
    [
      'more than fits: the end is emitted and the offset jumps',
      {
        source: '   a 9ms b 9ms c',
        values: { a: out('0123456789'), b: out('abcdefg'), c: out('hij') },
        expected: ' a 49ms b',
        shown: { a: 'out 6 "6789"', b: 'out 16 "ghij"' },
        subscription: '^',
      },
    ],
    [
      'a cut in a pair: one unit less',
      {
        source: '  a',
        values: { a: out('ab😀cde') },
        expected: 'a',
        shown: { a: 'out 4 "cde"' },
        subscription: '^',
      },
    ],
    [
      'the end: pending pieces are emitted first, at once',
      {
        source: '      a 9ms b 9ms c 9ms (e|)',
        values: { a: out('a'), b: err('E'), c: out('c'), e: end },
        expected: '    a 29ms (bce|)',
        shown: { a: 'out 0 "a"', b: 'err 0 "E"', c: 'out 1 "c"', e: 'end' },
        subscription: '^ 29ms !',
      },
    ],
    [
      'an error: pending pieces are dropped, the timer too',
      {
        source: '      a 9ms b 9ms #',
        values: { a: out('a'), b: out('b') },
        expected: '    a 19ms #',
        shown: { a: 'out 0 "a"' },
        subscription: '^ 19ms !',
      },
    ],
    [
      'an early unsubscribe: nothing more',
      {
        source: '      a 9ms b 9ms c',
        values: { a: out('a'), b: out('b'), c: out('c') },
        unsubscribe: ' ^ 14ms !',
        expected: '    a',
        shown: { a: 'out 0 "a"' },
        subscription: '^ 14ms !',
      },
    ],
  ])('%s', (_, each) => verify(each))

  it('emits at most 20 times a second', () => {
    const times: number[] = []
    const scheduler = new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted))
    scheduler.run(({ cold }) => {
      const source = 'a'.repeat(1000) // one a millisecond
      cold(source, { a: out('x') })
        .pipe(joinOutput())
        .subscribe(() => times.push(scheduler.now()))
    })
    expect(times).toHaveLength(21) // at 0, 50 … 1,000
    expect(times.slice(1).every((at, index) => at - (times[index] ?? 0) >= 50)).toBe(true)
  })

  it.each(['unsubscribing', 'an error'] as const)('leaves no timer after %s', (way) => {
    vi.useFakeTimers()
    try {
      const events$ = new Subject<ProcessEvent>()
      const listening = events$.pipe(joinOutput()).subscribe({ error: () => undefined })
      events$.next(out('a'))
      events$.next(out('b'))
      if (way === 'an error') events$.error(new Error('gone'))
      else listening.unsubscribe()
      expect([vi.getTimerCount(), events$.observed]).toEqual([0, false])
    } finally {
      vi.useRealTimers()
    }
  })

  it('bounds the buffer under a flood', () => {
    const scheduler = new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted))
    const times: (ToolProgress | ProcessEnd)[] = []
    scheduler.run(({ hot }) => {
      hot('abababababababababab', { a: out('x'.repeat(100_000)), b: err('y'.repeat(100_000)) })
        .pipe(joinOutput())
        .subscribe((value) => times.push(value))
    })
    const sizes = times.map((value) => (value.type === 'progress' ? value.content.length : 0))
    expect(Math.max(...sizes)).toBe(32_768)
    expect(times.at(-1)).toMatchObject({ offset: 1_000_000 - 32_768 })
  })
})
