// Tests `shareNext`: one run at a time, and one that waits for all that came meanwhile.
import { defer, mergeMap } from 'rxjs'
import { expect, it } from 'vitest'
import { shareNext } from '../../../lib/streams/rx/share-next.ts'
import { marbles } from '../../../lib/testing/marbles.ts'

/** Subscribes at each letter of the marbles. */
function begun(
  run: (shared: { begins: number }, marble: Parameters<Parameters<typeof marbles>[0]>[0]) => void,
): number {
  const counted = { begins: 0 }
  marbles((marble) => run(counted, marble))
  return counted.begins
}

it('begins at once, and shares the next run among all that come meanwhile', () => {
  const begins = begun((counted, { cold, hot, expectObservable }) => {
    const work$ = defer(() => {
      counted.begins += 1
      return cold('-----(v|)')
    })
    const shared$ = shareNext(work$)
    // a runs alone; b and c come meanwhile and get the run after it; d comes during that one
    expectObservable(hot('-abc----d|').pipe(mergeMap(() => shared$))).toBe('------v----(vv)-(v|)')
  })
  expect(begins).toBe(3)
})

it('unsubscribes a run whose subscribers have left, and lets the next one begin', () => {
  const begins = begun((counted, { cold, expectObservable, expectSubscriptions }) => {
    const source$ = cold('-----(v|)')
    const shared$ = shareNext(
      defer(() => {
        counted.begins += 1
        return source$
      }),
    )
    expectObservable(shared$, '^-!').toBe('---')
    expectObservable(shared$, '-^----------').toBe('-------(v|)')
    expectSubscriptions(source$.subscriptions).toBe(['^-!', '--^----!'])
  })
  expect(begins).toBe(2)
})

it('fails all that share a failed run, and begins anew afterwards', () => {
  const begins = begun((counted, { cold, expectObservable }) => {
    const shared$ = shareNext(
      defer(() => {
        counted.begins += 1
        return cold('--#')
      }),
    )
    expectObservable(shared$).toBe('--#')
    expectObservable(shared$, '-^---').toBe('----#')
    expectObservable(shared$, '-^---').toBe('----#')
    expectObservable(shared$, '------^--').toBe('--------#')
  })
  expect(begins).toBe(3)
})
