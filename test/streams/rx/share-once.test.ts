// Tests the shared source that starts once and runs without subscribers.
import { Subject, defer, throwError } from 'rxjs'
import { expect, it } from 'vitest'
import { shareOnce } from '../../../lib/streams/rx/share-once.ts'

it('starts at the first subscription and continues without subscribers', () => {
  const source$ = new Subject<string>()
  let begun = 0
  const once$ = defer(() => {
    begun += 1
    return source$
  }).pipe(shareOnce())
  expect(begun).toBe(0)
  once$.subscribe().unsubscribe()
  const emitted: unknown[] = []
  source$.next('a')
  once$.subscribe({ next: (value) => emitted.push(value), complete: () => emitted.push('end') })
  source$.complete()
  once$.subscribe({ next: (value) => emitted.push(value), complete: () => emitted.push('end') })
  expect([begun, emitted]).toEqual([1, ['a', 'end', 'a', 'end']])
})

it('emits a failure to every subscriber, and does not start again', () => {
  let begun = 0
  const once$ = defer(() => {
    begun += 1
    return throwError(() => new Error('no'))
  }).pipe(shareOnce())
  const emitted: unknown[] = []
  for (let time = 0; time < 2; time++) once$.subscribe({ error: (error: unknown) => emitted.push(String(error)) })
  expect([begun, emitted]).toEqual([1, ['Error: no', 'Error: no']])
})
