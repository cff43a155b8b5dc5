// Tests `untilDone`, which ends a provider's stream at its `done`.
import { Subject, from, map, range, take } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { untilDone } from '../../../lib/operators/request/until-done.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { marbles } from '../../../lib/testing/marbles.ts'

const values: Record<string, AssistantDelta> = {
  s: { type: 'start' },
  t: { type: 'text_delta', contentIndex: 0, text: 't' },
  d: { type: 'done', stopReason: 'stop', usage: noUsage },
}
const early = new Failure(
  'provider_error',
  "The provider's answer ended before it was complete; it may be tried again",
  {
    data: { kind: 'early_end' },
  },
)
const stalled = new Failure(
  'provider_error',
  'The provider sent no content for 0.005 s; to wait longer, raise limits.idleMs in settings.json',
  { data: { kind: 'stall' } },
)

describe('untilDone', () => {
  it.each([
    ['passes done on and completes', '-s-t-d-t-|', '-s-t-(d|)', '^----!'],
    ['completes at a done that is the last delta', '-s-(d|)', '-s-(d|)', '^--!'],
    ['reports a completion without done as early_end [PORT-early_end]', '-s-t|', '-s-t#', '^---!'],
    ['reports an empty answer as early_end', '--|', '--#', '^-!'],
    ['stays open if the source never ends', '-s-', '-s-', '^'],
    ['ignores an error after done', '-d-#', '-(d|)', '^!'],
  ])('%s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold(marble, values)
      expectObservable(source$.pipe(untilDone())).toBe(expected, values, early)
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('passes the source’s own failure on', () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('-t-#', values, new Error('cut')).pipe(untilDone())).toBe('-t-#', values, new Error('cut'))
    })
  })

  it.each([null, undefined, 5, 'text_delta', {}, { type: 'song' }, { type: 'agent_end' }])(
    'fails at a value that is not a delta, and unsubscribes its source: %j',
    (garbage) => {
      const source$ = new Subject<AssistantDelta>()
      const emitted: unknown[] = []
      source$
        .pipe(untilDone())
        .subscribe({ next: () => emitted.push('next'), error: (error: unknown) => emitted.push(error) })
      source$.next({ type: 'start' })
      source$.next(garbage as AssistantDelta)
      expect([emitted.length, emitted[0], source$.observed]).toEqual([2, 'next', false])
      expect(emitted[1]).toMatchObject({ code: 'provider_error', data: { kind: 'network' } })
      expect(emitted[1]).toHaveProperty(
        'message',
        expect.stringMatching(/^The provider sent .*, which is not a delta$/),
      )
    },
  )

  it('unsubscribes its source when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-t-t-d', values)
      expectObservable(source$.pipe(untilDone()), '^--!').toBe('-t-', values)
      expectSubscriptions(source$.subscriptions).toBe('^--!')
    })
  })

  it('does not report an early end if its subscriber unsubscribes within the last value', () => {
    const emitted: unknown[] = []
    from([{ type: 'start' }] satisfies AssistantDelta[])
      .pipe(untilDone(), take(1))
      .subscribe({ error: (error: unknown) => emitted.push(error), complete: () => emitted.push('complete') })
    expect(emitted).toEqual(['complete'])
  })

  it('stops a source that continues after done', () => {
    let fired = 0
    const received: string[] = []
    range(0, 1_000)
      .pipe(
        map((value): AssistantDelta => {
          fired += 1
          return value === 2 ? { type: 'done', stopReason: 'stop', usage: noUsage } : { type: 'start' }
        }),
        untilDone(),
      )
      .subscribe(({ type }) => received.push(type))
    expect([fired, received]).toEqual([3, ['start', 'start', 'done']])
  })

  it.each([
    ['stalls before the first delta of a block', '------', '-----#'],
    ['does not count start and usage', '--s-s-', '--s-s#'],
    ['stalls between deltas of blocks', '----t-s---', '----t-s--#'],
    ['passes on deltas that come in time', '----t----t----(d|)', '----t----t----(d|)'],
    ['clears its timer at done', '-(d|)', '-(d|)'],
    ['reports a completion without done as early_end', '--|', '--#', early],
  ])('with an idle limit: %s', (_, marble, expected, failure = stalled) => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold(marble, values).pipe(untilDone({ first: 5, each: 5 }))).toBe(expected, values, failure)
    })
  })

  it('unsubscribes its source when it stalls', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-t---', values)
      expectObservable(source$.pipe(untilDone({ first: 2, each: 5 }))).toBe('-t----#', values, stalled)
      expectSubscriptions(source$.subscriptions).toBe('^-----!')
    })
  })

  it.each([2 ** 31, Infinity, -1, NaN])('throws bad_request for an idle limit of %d ms', (limit) => {
    expect(() => untilDone({ first: limit, each: 1 })).toThrow(expect.objectContaining({ code: 'bad_request' }))
    expect(() => untilDone({ first: 1, each: limit })).toThrow(expect.objectContaining({ code: 'bad_request' }))
  })
})
