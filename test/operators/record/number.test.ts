import { from, map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { number } from '../../../lib/operators/record/number.ts'
import { isDurable } from '../../../lib/streams/events/event.ts'
import type { PendingRecord } from '../../../lib/streams/log/log-line.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { everyEvent, sampleEvents } from '../../streams/events/samples.ts'

const durable: PendingRecord = { event: sampleEvents.custom, runId: 'rrrrrrrr', opId: 'op' }
const transient: PendingRecord = { event: sampleEvents.status }
const values = { d: durable, t: transient }

describe('number', () => {
  it.each([
    ['nothing', '---', '---', {}],
    ['an empty stream', '--|', '--|', {}],
    ['one event', '-d|', '-1|', { 1: 8 }],
    ['many events, transient ones without a number', 'dtd-d|', '1t2-3|', { 1: 8, t: undefined, 2: 9, 3: 10 }],
    ['an error', '-d-#', '-1-#', { 1: 8 }],
  ])('counts %s on from the head [EVENT-numbers]', (_, marble, expected, seqs) => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(
        cold(marble, values).pipe(
          number(7),
          map(({ seq }) => seq),
        ),
      ).toBe(expected, seqs)
    })
  })

  it('gives each event its time and keeps what it came with', () => {
    marbles(({ cold, expectObservable }) => {
      const { event, runId, opId } = durable
      const numbered = { pending: durable, event, runId, opId, at: 3, seq: 1, line: undefined }
      expectObservable(cold('---d', values).pipe(number(0))).toBe('---n', { n: numbered })
    })
  })

  it('lets go of its source when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-d-d', values)
      expectObservable(
        source$.pipe(
          number(0),
          map(({ seq }) => seq),
        ),
        '^-!',
      ).toBe('-1-', { 1: 1 })
      expectSubscriptions(source$.subscriptions).toBe('^-!')
    })
  })

  it('counts each subscription anew', () => {
    const numbered$ = from([durable, durable]).pipe(
      number(0),
      map(({ seq }) => seq),
    )
    const seen: unknown[] = []
    numbered$.subscribe((seq) => seen.push(seq))
    numbered$.subscribe((seq) => seen.push(seq))
    expect(seen).toEqual([1, 2, 1, 2])
  })

  it('counts exactly what is durable [EVENT-numbers]', () => {
    const seen: [string, number | undefined][] = []
    from(everyEvent.map((event): PendingRecord => ({ event })))
      .pipe(number(0))
      .subscribe(({ event, seq }) => seen.push([event.type, seq]))
    const uncounted = seen.flatMap(([type, seq]) => (seq === undefined ? [type] : []))
    expect(uncounted).toEqual(['message_update', 'tool_execution_update', 'job_update', 'status'])
    expect(everyEvent.filter((event) => !isDurable(event)).map(({ type }) => type)).toEqual(uncounted)
  })
})
