// Tests that a resource is closed if its subscriber unsubscribes before the answer.
import { EMPTY, NEVER, Observable, concat, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { closeOnAbandon } from '../../../lib/streams/rx/on-abandon.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import { sampleHeader } from '../../store/sessions/sample-records.ts'

const refused = new Failure('bad_request', 'refused')

/** What the operator emits for a source, in order, with the moment at which the log is closed. */
function emissionsOf(source$: Observable<string>, { unsubscribed = false, closing$ = EMPTY } = {}) {
  const emitted: unknown[] = []
  const log: SessionLog = memoryStore().create(sampleHeader())
  log.close = () =>
    new Observable((subscriber) => {
      emitted.push('closed')
      return closing$.subscribe(subscriber)
    })
  const subscription = source$.pipe(closeOnAbandon(log)).subscribe({
    next: (value) => emitted.push(value),
    error: (error: unknown) => emitted.push(error),
    complete: () => emitted.push('complete'),
  })
  if (unsubscribed) subscription.unsubscribe()
  return emitted
}

describe('closeOnAbandon', () => {
  it.each<[string, Observable<string>, readonly unknown[]]>([
    ['leaves it open for an answer', of('answer'), ['answer', 'complete']],
    ['leaves it open if the source completes without an answer', concat(), ['complete']],
    ['closes it before it emits a failure', throwError(() => refused), ['closed', refused]],
    ['wraps other errors as a Failure', throwError(() => new Error('odd')), ['closed', new Failure('internal', 'odd')]],
  ])('%s', (_, source$, emitted) => {
    expect(emissionsOf(source$)).toEqual(emitted)
  })

  it.each<[string, Observable<string>, readonly unknown[]]>([
    ['closes it before the answer', NEVER, ['closed']],
    ['leaves it open after the answer', concat(of('answer'), NEVER), ['answer']],
    ['closes it once after a failure', throwError(() => refused), ['closed', refused]],
  ])('unsubscribed, %s', (_, source$, emitted) => {
    expect(emissionsOf(source$, { unsubscribed: true })).toEqual(emitted)
  })

  it('emits the first failure, not the failure of closing', () => {
    const closing$ = throwError(() => new Failure('storage', 'full'))
    expect(
      emissionsOf(
        throwError(() => refused),
        { closing$ },
      ),
    ).toEqual(['closed', refused])
    expect(emissionsOf(NEVER, { unsubscribed: true, closing$ })).toEqual(['closed'])
  })
})
