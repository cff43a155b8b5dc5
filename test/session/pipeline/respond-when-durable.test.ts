// Tests when a command's result is emitted: after its events are written and synced.
import { Subject, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { Pipeline } from '../../../lib/session/pipeline/pipeline.ts'
import {
  respondAfter,
  respondWhenDurable,
  respondWhenWritten,
} from '../../../lib/session/pipeline/respond-when-durable.ts'
import type { PendingRecord } from '../../../lib/streams/log/log-line.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { sampleEvents } from '../../streams/events/samples.ts'

const result = { done: true }
const records: PendingRecord[] = [{ event: sampleEvents.custom }, { event: sampleEvents.label }]
const values = { r: result }
const ack = { v: undefined }

describe('respondWhenWritten', () => {
  it('publishes all events in the call, and emits the result after the last one is written and synced', () => {
    marbles(({ cold, hot, expectObservable }) => {
      const acks = ['-----(v|)', '--(v|)'].map((marble) => hot<undefined>(marble, ack))
      const written: PendingRecord[] = []
      const pipeline = {
        write: (record: PendingRecord) => acks[written.push(record) - 1],
        durable: () => cold('---(v|)', ack),
      } as unknown as Pipeline // the two functions that it calls
      const result$ = respondWhenWritten({ pipeline }, records, result)
      expect(written).toEqual(records)
      expectObservable(result$).toBe('--------(r|)', values)
    })
  })

  it('emits the result to a subscriber that comes after the events are written', () => {
    const ack$ = new Subject<void>()
    const pipeline = { write: () => ack$, durable: () => of(undefined) } as unknown as Pipeline
    const result$ = respondWhenWritten({ pipeline }, records, result)
    ack$.next()
    ack$.complete()
    const notices: unknown[] = []
    result$.subscribe({ next: (value) => notices.push(value), complete: () => notices.push('complete') })
    expect(notices).toEqual([result, 'complete'])
  })

  it('fails with the first write that fails, and asks for no sync', () => {
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const acks = [hot<never>('---#'), hot<never>('---#')]
      const synced$ = cold<undefined>('(v|)', ack)
      let index = 0
      const pipeline = { write: () => acks[index++], durable: () => synced$ } as unknown as Pipeline
      expectObservable(respondWhenWritten({ pipeline }, records, result)).toBe('---#')
      expectSubscriptions(synced$.subscriptions).toBe([])
    })
  })
})

describe('respondAfter', () => {
  it('asks for the sync when the events are written, and fails if the sync fails', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const synced$ = cold<undefined>('--#')
      const result$ = respondAfter(cold('-v-v|', ack), { durable: () => synced$ }, result)
      expectObservable(result$).toBe('------#')
      expectSubscriptions(synced$.subscriptions).toBe('----^-!')
    })
  })
})

describe('respondWhenDurable', () => {
  it('emits the result once, when everything is synced', () => {
    marbles(({ cold, expectObservable }) => {
      const result$ = respondWhenDurable({ durable: () => cold('--v-|', ack) }, result)
      expectObservable(result$).toBe('----(r|)', values)
    })
  })
})
