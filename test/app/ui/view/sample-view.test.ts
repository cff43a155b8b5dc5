// Tests the sampling of views for drawing.
import { map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { sampleView } from '../../../../app/ui/view/sample-view.ts'
import { marbles } from '../../../../lib/testing/marbles.ts'
import { piece, shortly, textStarts } from './view-scene.ts'

const letters = { s: textStarts(), a: piece('a', 0), b: piece('b', 1), c: piece('c', 2) }
const shown = { s: '| text()', a: '| text(a)', b: '| text(ab)', c: '| text(abc)' }

describe('the view that is drawn', () => {
  it.each([
    ['at once where nothing was drawn lately', 's 99ms a 99ms b', 's 99ms a 99ms b'],
    ['once a frame where more comes', 's 4ms a 4ms b 4ms c 70ms -', 's 49ms c'],
    ['with the latest when the source ends', 's 4ms a 4ms b|', 's 49ms (b|)'],
    ['not at all after an early end', '|', '|'],
  ])('comes %s', (_, given, expected) => {
    marbles(({ hot, expectObservable }) => {
      const views$ = hot(given, letters).pipe(
        sampleView(() => undefined),
        map(shortly),
      )
      expectObservable(views$).toBe(expected, shown)
    })
  })

  it('lets its source go when it is left, and passes a failure on', () => {
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const source$ = hot('-s-a', letters)
      expectObservable(
        source$.pipe(
          sampleView(() => undefined),
          map(shortly),
        ),
        '^-!',
      ).toBe('-s', shown)
      expectSubscriptions(source$.subscriptions).toBe('^-!')
      expectObservable(cold('#', letters).pipe(sampleView(() => undefined))).toBe('#')
    })
  })

  it('tells each view that was folded, also those that are not drawn', () => {
    const folded: string[] = []
    marbles(({ hot, expectObservable }) => {
      expectObservable(
        hot('(sab)', letters).pipe(
          sampleView((view) => folded.push(shortly(view))),
          map(() => 's'),
        ),
      ).toBe('s 49ms s')
    })
    expect(folded).toEqual([shown.s, shown.a, shown.b])
  })
})
