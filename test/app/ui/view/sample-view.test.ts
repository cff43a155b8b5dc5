// Tests the sampling of views for drawing.
import { map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { sampleView } from '../../../../app/ui/view/sample-view.ts'
import { marbles } from '../../../../lib/testing/marbles.ts'
import { piece, shortly, textStarts } from './view-scene.ts'

const letters = { s: textStarts(), a: piece('a', 0), b: piece('b', 1), c: piece('c', 2) }
const shown = { s: '| text()', a: '| text(a)', b: '| text(ab)', c: '| text(abc)' }

describe('sampleView', () => {
  it.each([
    ['at once if nothing was drawn recently', 's 99ms a 99ms b', 's 99ms a 99ms b'],
    ['once a frame if more arrives', 's 4ms a 4ms b 4ms c 70ms -', 's 49ms c'],
    ['with the latest when the source ends', 's 4ms a 4ms b|', 's 49ms (b|)'],
    ['not at all after an early end', '|', '|'],
  ])('emits %s', (_, options, expected) => {
    marbles(({ hot, expectObservable }) => {
      const views$ = hot(options, letters).pipe(
        sampleView(() => undefined),
        map(shortly),
      )
      expectObservable(views$).toBe(expected, shown)
    })
  })

  it('unsubscribes from its source, and passes on an error', () => {
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

  it('calls back for each view, also those that it does not emit', () => {
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
