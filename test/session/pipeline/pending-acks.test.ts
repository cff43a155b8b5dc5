import { describe, expect, it } from 'vitest'
import { writeWaiters } from '../../../lib/session/pipeline/pending-acks.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { PendingRecord, SessionRecord } from '../../../lib/streams/log/log-line.ts'
import { sampleEvents } from '../../streams/events/samples.ts'

const pending: PendingRecord = { event: sampleEvents.custom }
const record: SessionRecord = { ...pending, at: 0, seq: 1 }

function heard(waiting$: ReturnType<ReturnType<typeof writeWaiters>['wait']>): unknown[] {
  const told: unknown[] = []
  waiting$.subscribe({
    next: () => told.push('written'),
    error: (error: unknown) => told.push(error),
    complete: () => told.push('complete'),
  })
  return told
}

describe('writeWaiters', () => {
  it('tell of the first record that matches, once', () => {
    const waiters = writeWaiters()
    const told = heard(waiters.wait((written) => written.seq === 2))
    waiters.tell(record, pending)
    expect(told).toEqual([])
    waiters.tell({ ...record, seq: 2 }, pending)
    waiters.tell({ ...record, seq: 2 }, pending)
    expect(told).toEqual(['written', 'complete'])
  })

  it('match what was put in, too', () => {
    const waiters = writeWaiters()
    const told = heard(waiters.wait((_, put) => put === pending))
    waiters.tell(record, { ...pending })
    waiters.tell(record, pending)
    expect(told).toEqual(['written', 'complete'])
  })

  it('wait from the call on: who subscribes later is told that it is over', () => {
    const waiters = writeWaiters()
    const waiting$ = waiters.wait(() => true)
    waiters.tell(record, pending)
    expect(heard(waiting$)).toEqual(['complete'])
  })

  it('tell all of a failure, and those that come after it not', () => {
    const waiters = writeWaiters()
    const failure = new Failure('storage', 'full')
    const [one, two] = [heard(waiters.wait(() => false)), heard(waiters.wait(() => false))]
    waiters.fail(failure)
    const later = heard(waiters.wait(() => true))
    expect([one, two, later]).toEqual([[failure], [failure], []])
    waiters.tell(record, pending)
    expect(later).toEqual(['written', 'complete'])
  })

  it('may be waited for anew from within a failure', () => {
    const waiters = writeWaiters()
    const told: string[] = []
    const again = (): void => {
      waiters.wait(() => true).subscribe({ next: () => told.push('written after all'), error: again })
    }
    again()
    waiters.fail(new Failure('storage', 'full'))
    waiters.tell(record, pending)
    expect(told).toEqual(['written after all'])
  })
})
