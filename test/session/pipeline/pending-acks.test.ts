// Tests `pendingAcks`: each emits when its record is written, or fails with the write.
import { describe, expect, it } from 'vitest'
import { pendingAcks } from '../../../lib/session/pipeline/pending-acks.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { PendingRecord, SessionRecord } from '../../../lib/streams/log/log-line.ts'
import { sampleEvents } from '../../streams/events/samples.ts'

const pending: PendingRecord = { event: sampleEvents.custom }
const record: SessionRecord = { ...pending, at: 0, seq: 1 }

function heard(waiting$: ReturnType<ReturnType<typeof pendingAcks>['wait']>): unknown[] {
  const notices: unknown[] = []
  waiting$.subscribe({
    next: () => notices.push('written'),
    error: (error: unknown) => notices.push(error),
    complete: () => notices.push('complete'),
  })
  return notices
}

describe('pendingAcks', () => {
  it('emit once for the first record that matches', () => {
    const waiters = pendingAcks()
    const notices = heard(waiters.wait((written) => written.seq === 2))
    waiters.resolve(record, pending)
    expect(notices).toEqual([])
    waiters.resolve({ ...record, seq: 2 }, pending)
    waiters.resolve({ ...record, seq: 2 }, pending)
    expect(notices).toEqual(['written', 'complete'])
  })

  it('match the pending record, too', () => {
    const waiters = pendingAcks()
    const notices = heard(waiters.wait((_, put) => put === pending))
    waiters.resolve(record, { ...pending })
    waiters.resolve(record, pending)
    expect(notices).toEqual(['written', 'complete'])
  })

  it('wait from the call on: a later subscriber gets only the completion', () => {
    const waiters = pendingAcks()
    const waiting$ = waiters.wait(() => true)
    waiters.resolve(record, pending)
    expect(heard(waiting$)).toEqual(['complete'])
  })

  it('pass a failure to all current waiters, and to no later one', () => {
    const waiters = pendingAcks()
    const failure = new Failure('storage', 'full')
    const [one, two] = [heard(waiters.wait(() => false)), heard(waiters.wait(() => false))]
    waiters.reject(failure)
    const later = heard(waiters.wait(() => true))
    expect([one, two, later]).toEqual([[failure], [failure], []])
    waiters.resolve(record, pending)
    expect(later).toEqual(['written', 'complete'])
  })

  it('can be waited for again within a failure', () => {
    const waiters = pendingAcks()
    const notices: string[] = []
    const again = (): void => {
      waiters.wait(() => true).subscribe({ next: () => notices.push('written after all'), error: again })
    }
    again()
    waiters.reject(new Failure('storage', 'full'))
    waiters.resolve(record, pending)
    expect(notices).toEqual(['written after all'])
  })

  it('ask no more about records once they have emitted or failed', () => {
    const waiters = pendingAcks()
    const requests: string[] = []
    const waitFor = (name: string, matches: boolean) => {
      heard(
        waiters.wait(() => {
          requests.push(name)
          return matches
        }),
      )
    }
    waitFor('written', true)
    waitFor('failed', false)
    waiters.resolve(record, pending)
    waiters.reject(new Failure('storage', 'full'))
    waiters.resolve(record, pending)
    expect(requests).toEqual(['written', 'failed'])
  })
})
