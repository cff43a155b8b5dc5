// Tests the publisher: order of emission, and subscribers that join or leave in a handler.
import { take } from 'rxjs'
import { expect, it } from 'vitest'
import { createPublisher } from '../../../lib/session/pipeline/pipeline.ts'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'

it('emits a record, then its event, and completes both', () => {
  const published = createPublisher()
  const notices: string[] = []
  published.events$.subscribe({ next: ({ type }) => notices.push(type), complete: () => notices.push('events end') })
  published.records$.subscribe({
    next: ({ seq }) => notices.push(`record ${seq}`),
    complete: () => notices.push('records end'),
  })
  published.publish(notice(1))
  published.close()
  expect(notices).toEqual(['record 1', 'status', 'records end', 'events end'])
})

it.each(['records$', 'events$'] as const)(
  'emits the next one first to a subscriber that comes within %s, on both',
  (from) => {
    const published = createPublisher()
    const notices: string[] = []
    let joined = false
    const join = (): void => {
      if (joined) return
      joined = true
      published.records$.subscribe(({ seq }) => notices.push(`record ${seq}`))
      published.events$.subscribe((event) => notices.push(event.type === 'status' ? event.message : event.type))
    }
    if (from === 'records$') published.records$.subscribe(join)
    else published.events$.subscribe(join)
    published.publish(notice(1))
    published.publish(notice(2))
    expect(notices).toEqual(['record 2', 'event 2'])
  },
)

it('emits to its subscribers in the order in which they came [LOOP-30a]', () => {
  const published = createPublisher()
  const calls: string[] = []
  published.publish(notice(0))
  const first = published.records$.subscribe(({ seq }) => calls.push(`first ${seq}`))
  published.publish(notice(1))
  published.records$.subscribe(({ seq }) => calls.push(`second ${seq}`))
  published.publish(notice(2))
  first.unsubscribe()
  published.publish(notice(3))
  expect(calls).toEqual(['first 1', 'first 2', 'second 2', 'second 3'])
})

it('emits the next record first to a subscriber that comes within a record', () => {
  const published = createPublisher()
  const later: unknown[] = []
  const join = (): void => {
    published.records$.subscribe(({ seq }) => later.push(seq))
  }
  published.records$.pipe(take(1)).subscribe(join)
  published.publish(notice(1))
  published.publish(notice(2))
  expect(later).toEqual([2])
})

it('emits nothing more to a subscriber that leaves within a record, that record neither', () => {
  const published = createPublisher()
  const calls: string[] = []
  published.records$.subscribe(({ seq }) => {
    calls.push(`first ${seq}`)
    second.unsubscribe()
  })
  const second = published.records$.subscribe(({ seq }) => calls.push(`second ${seq}`))
  published.publish(notice(1))
  published.publish(notice(2))
  expect(calls).toEqual(['first 1', 'first 2'])
})

it('completes for all, and at once for a later subscriber', () => {
  const published = createPublisher()
  const calls: string[] = []
  published.records$.subscribe({ next: () => calls.push('record'), complete: () => calls.push('first') })
  published.records$.subscribe({ complete: () => calls.push('second') })
  published.close()
  published.publish(notice(1))
  published.records$.subscribe({ complete: () => calls.push('late') })
  expect(calls).toEqual(['first', 'second', 'late'])
})

function notice(seq: number): SessionRecord {
  const event = { type: 'status', code: 'notice', message: `event ${seq}`, recoverable: true } as const
  return { seq, at: 0, event, line: undefined }
}
