// Tests the marble helper.
import { asyncScheduler, map, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { marbles } from '../../lib/testing/marbles.ts'

describe('marbles', () => {
  it('passes if stream and subscriptions are as expected, and returns the result of the test', () => {
    const result = marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a-b|')
      expectObservable(source$.pipe(map((letter) => letter + letter))).toBe('-x-y|', { x: 'aa', y: 'bb' })
      expectSubscriptions(source$.subscriptions).toBe('^---!')
      return 'returned'
    })
    expect(result).toBe('returned')
  })

  it('shows the frame that differs', () => {
    const wrong = (): void =>
      marbles(({ cold, expectObservable }) => {
        expectObservable(cold('-a-b|', { a: { n: 1 }, b: 'b' })).toBe('-a--b|', { a: { n: 1 }, b: 'b' })
      })
    expect(wrong).toThrow(
      [
        'The streams differ (- expected, + actual):',
        '    1 ms  { n: 1 }',
        "  - 4 ms  'b'",
        "  + 3 ms  'b'",
        '  - 5 ms  complete',
        '  + 4 ms  complete',
      ].join('\n'),
    )
  })

  it('shows errors, and missing notifications at the end', () => {
    const wrong = (): void =>
      marbles(({ expectObservable }) => {
        expectObservable(throwError(() => new Error('sad'))).toBe('(a|)')
      })
    expect(wrong).toThrow(/- 0 ms {2}'a'\n {2}\+ 0 ms {2}error Error: sad[^]*- 0 ms {2}complete/)
  })

  it('reports two sides that look equal', () => {
    const wrong = (): void =>
      marbles(({ expectObservable }) => {
        const error = Object.assign(new Error('sad', { cause: 1 }), { code: 7 })
        expectObservable(throwError(() => error)).toBe('#', undefined, Object.assign(new Error('sad'), { code: 7 }))
      })
    expect(wrong).toThrow(/ {4}0 ms {2}error Error: sad \{ code: 7 \}\n {4}\(both print the same text/)
  })

  it('shows subscriptions', () => {
    const wrong = (): void =>
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const source$ = cold('-a')
        expectObservable(source$, '^--!').toBe('-a')
        expectSubscriptions(source$.subscriptions).toBe('^')
      })
    expect(wrong).toThrow('  - subscribed 0 ms, unsubscribed never\n  + subscribed 0 ms, unsubscribed 3 ms')
  })

  it('restores the real clock, also after a failure', () => {
    const failing = (): void =>
      marbles(() => {
        expect(asyncScheduler.now()).toBe(0)
        throw new Error('sad')
      })
    expect(failing).toThrow('sad')
    expect(asyncScheduler.now()).toBeGreaterThan(1e12)
  })
})
