// Tests `runHook`: its time limit, its failures and the kinds of results that it accepts.
import { EMPTY, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { runHook, hookLimitMs } from '../../../lib/operators/hooks/run-hook.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { valuesOf } from '../../support/values-of.ts'

const tooLate = new Failure('timeout', 'The hook before did not answer within 30 s.')

describe('runHook', () => {
  it.each([
    ['an answer', '--a|', '--(a|)'],
    ['the first of two', '--a-b', '--(a|)'],
    ['no answer', '---|', '---(u|)'],
    ['a failure', '--#', '--#'],
  ])('emits %s', (_, marble, expected) => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(runHook('before', () => cold(marble))).toBe(expected, { a: 'a', u: undefined })
    })
  })

  it('fails with the name of a hook that exceeds its limit, and unsubscribes it [LOOP-30d]', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold('60s a')
      expectObservable(runHook('before', () => answer$)).toBe('30s #', undefined, tooLate)
      expectSubscriptions(answer$.subscriptions).toBe('^ 29999ms !')
    })
    expect(hookLimitMs).toBe(30_000)
  })

  it('does not count the time while a question is open [LOOP-29b]', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const questionOpen$ = cold('g 9s 999ms w 49s 999ms g', { w: true, g: false })
      const hook$ = (answer: string) => runHook('before', () => cold(answer), { questionOpen$ })
      expectObservable(hook$('70s a')).toBe('70s (a|)')
      expectObservable(hook$('90s a')).toBe('80s #', undefined, tooLate)
      expectSubscriptions(questionOpen$.subscriptions).toBe(['^ 69s 999ms !', '^ 79s 999ms !'])
    })
  })

  it('calls the hook on subscription, and unsubscribes it with its own', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold('---a')
      expectObservable(
        runHook('before', () => answer$),
        '^-!',
      ).toBe('')
      expectSubscriptions(answer$.subscriptions).toBe('^-!')
    })
  })

  it('fails if the hook throws', () => {
    const emitted: unknown[] = []
    runHook('before', (): Observable<string> => {
      throw new Error('broken')
    }).subscribe({ error: (error: unknown) => emitted.push(error) })
    expect(emitted).toEqual([new Error('broken')])
  })

  it('is synchronous if the hook is', () => {
    const emitted: unknown[] = []
    for (const answer$ of [of('a'), EMPTY, throwError(() => new Error('sad'))]) {
      runHook('before', () => answer$).subscribe({
        next: (answer) => emitted.push(answer),
        error: () => emitted.push('failed'),
      })
    }
    expect(emitted).toEqual(['a', undefined, 'failed'])
  })

  it.each<[unknown]>([[undefined], [null], ['text'], [{ block: { reason: 'no' } }]])(
    'accepts %j as a plain value',
    async (answer) => {
      expect(await valuesOf(runHook('before', () => answer))).toEqual([answer])
    },
  )

  it('accepts a promise', async () => {
    expect(await valuesOf(runHook('before', () => Promise.resolve('promised')))).toEqual(['promised'])
  })
})
