// Who subscribes while a record is told — from a handler of either stream — is told the next one first.
import { expect, it } from 'vitest'
import { publisher } from '../../../lib/session/pipeline/pipeline.ts'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'

it('tells a record, then its event, and completes both', () => {
  const published = publisher()
  const told: string[] = []
  published.events$.subscribe({ next: ({ type }) => told.push(type), complete: () => told.push('events end') })
  published.records$.subscribe({
    next: ({ seq }) => told.push(`record ${seq}`),
    complete: () => told.push('records end'),
  })
  published.tell(notice(1))
  published.close()
  expect(told).toEqual(['record 1', 'status', 'records end', 'events end'])
})

it.each(['records$', 'events$'] as const)('tells who subscribes from within %s the next one first, on both', (from) => {
  const published = publisher()
  const told: string[] = []
  let joined = false
  const join = (): void => {
    if (joined) return
    joined = true
    published.records$.subscribe(({ seq }) => told.push(`record ${seq}`))
    published.events$.subscribe((event) => told.push(event.type === 'status' ? event.message : event.type))
  }
  if (from === 'records$') published.records$.subscribe(join)
  else published.events$.subscribe(join)
  published.tell(notice(1))
  published.tell(notice(2))
  expect(told).toEqual(['record 2', 'event 2'])
})

function notice(seq: number): SessionRecord {
  const event = { type: 'status', code: 'notice', message: `event ${seq}`, recoverable: true } as const
  return { seq, at: 0, event, line: undefined }
}
