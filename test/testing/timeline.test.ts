// Tests the timeline of a stream.
import { concat, interval, map, of, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { timeline } from '../../lib/testing/timeline.ts'

describe('timeline', () => {
  it('groups the values of one millisecond and marks the end', () => {
    const source$ = concat(
      timer(1).pipe(map(() => 'x')),
      of('y'),
      timer(5).pipe(map(() => 'z')),
      timer(7).pipe(map(() => '!')),
    )
    expect(timeline(source$)).toBe('1:xy 6:z 13:!|')
  })

  it('is empty for a stream without values', () => {
    expect(timeline(({ cold }) => cold('---'))).toBe('')
  })

  it('names values, and separates names longer than a letter', () => {
    expect(timeline(of(1, 2), { name: (value) => `n${value}` })).toBe('0:n1,n2,|')
  })

  it('marks an error', () => {
    expect(
      timeline(
        concat(
          timer(3),
          throwError(() => new Error('sad')),
        ),
      ),
    ).toBe('3:0#')
  })

  it('unsubscribes a stream that never ends', () => {
    expect(timeline(interval(10), { until: 35 })).toBe('10:0 20:1 30:2')
  })

  it('drives marbles', () => {
    expect(timeline(({ cold, hot }) => concat(cold('-a|'), hot('---b-|')))).toBe('1:a 3:b 5:|')
  })
})
