// Tests `concatSteps`, which runs a list of steps one after the other.
import { NEVER, finalize, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { concatSteps } from '../../../lib/operators/core/loop-while.ts'
import { marbles } from '../../../lib/testing/marbles.ts'

describe('concatSteps', () => {
  it.each<[string, (string | undefined)[], string]>([
    ['completes without steps', [], '|'],
    ['completes if every step is undefined', [undefined, undefined], '|'],
    ['completes with its only step', ['-a|'], '-a|'],
    ['emits its steps in order and skips undefined ones', ['-a|', undefined, 'b|', '|', '-c-|'], '-ab-c-|'],
    ['stays open in a step that never ends', ['-a|', '-'], '-a-'],
    ['fails with the first step that fails', ['-a#', 'b|'], '-a#'],
  ])('%s', (_, steps, expected) => {
    marbles(({ cold, expectObservable }) => {
      const input = steps.map((marble) => () => (marble === undefined ? undefined : cold(marble)))
      expectObservable(concatSteps(...input)).toBe(expected)
    })
  })

  it('unsubscribes the current step, and never calls the next', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const first$ = cold('-a-')
      const second$ = cold('-b-')
      expectObservable(
        concatSteps(
          () => first$,
          () => second$,
        ),
        '^-!',
      ).toBe('-a-')
      expectSubscriptions(first$.subscriptions).toBe('^-!')
      expectSubscriptions(second$.subscriptions).toBe([])
    })
  })

  it('calls a step after the step before was unsubscribed', () => {
    const emitted: string[] = []
    const ending$ = (name: string): Observable<string> => of(name).pipe(finalize(() => emitted.push(`${name} gone`)))
    concatSteps(
      () => ending$('a'),
      () => {
        emitted.push('asked')
        return ending$('b')
      },
    ).subscribe((value) => emitted.push(value))
    expect(emitted).toEqual(['a', 'a gone', 'asked', 'b', 'b gone'])
  })

  it('fails with the error that a step throws', () => {
    const thrown = new Error('step')
    const emitted: unknown[] = []
    concatSteps<string>(
      () => of('a'),
      () => {
        throw thrown
      },
      () => NEVER,
    ).subscribe({ next: (value) => emitted.push(value), error: (error: unknown) => emitted.push(error) })
    expect(emitted).toEqual(['a', thrown])
  })

  it('starts again with each subscription', () => {
    const emitted: string[] = []
    const steps$ = concatSteps(
      () => of('a'),
      () => of('b'),
    )
    steps$.subscribe((value) => emitted.push(value))
    steps$.subscribe((value) => emitted.push(value))
    expect(emitted).toEqual(['a', 'b', 'a', 'b'])
  })
})
