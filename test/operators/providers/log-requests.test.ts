// Tests `logRequests`, which reports each request and how it ended.
import { of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { logRequests } from '../../../lib/operators/providers/log-requests.ts'
import type { RequestLog } from '../../../lib/operators/providers/log-requests.ts'
import type { Provider } from '../../../lib/streams/ports/provider.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { sampleUsage } from '../../streams/events/samples.ts'
import { deltas, providerFailure, sampleRequest } from './provider-samples.ts'

const first = { number: 1, model: 'scripted/scripted' }
const failure = providerFailure('network')

/** What is logged of one answer, drawn, which is unsubscribed at `until`. */
function logged(marble: string, until?: string): RequestLog[] {
  const entries: RequestLog[] = []
  marbles(({ cold, expectObservable, expectSubscriptions }) => {
    const answer$ = cold(marble, deltas, failure)
    const provider = logRequests((entry) => entries.push(entry))(() => answer$)
    const expected = until === undefined ? marble : marble.slice(0, until.indexOf('!'))
    expectObservable(provider(sampleRequest), until).toBe(expected, deltas, failure)
    if (until !== undefined) expectSubscriptions(answer$.subscriptions).toBe(until)
  })
  return entries
}

describe('logRequests', () => {
  it.each<[string, string, string | undefined, readonly object[]]>([
    ['reports the request at first', '---', undefined, []],
    [
      'reports done, with the first delta of a block',
      's-t-x-d--|',
      undefined,
      [{ type: 'done', ms: 6, firstMs: 2, stopReason: 'stop', usage: sampleUsage }],
    ],
    ['reports a failure', 's-#', undefined, [{ type: 'failed', ms: 2, failure }]],
    [
      'reports an end without done as a failure',
      '-t-|',
      undefined,
      [
        {
          type: 'failed',
          ms: 3,
          firstMs: 1,
          failure: expect.objectContaining({ data: { kind: 'early_end' } }) as unknown,
        },
      ],
    ],
    ['reports an unsubscription', '-t---', '^--!', [{ type: 'cancelled', ms: 3, firstMs: 1 }]],
    [
      'reports no unsubscription behind done',
      '-t-d---',
      '^----!',
      [{ type: 'done', ms: 3, firstMs: 1, stopReason: 'stop', usage: sampleUsage }],
    ],
    [
      'reports no failure behind done',
      '-d-#',
      undefined,
      [{ type: 'done', ms: 1, stopReason: 'stop', usage: sampleUsage }],
    ],
  ])('%s', (_, marble, until, ends) => {
    const expected = ends.map((end) => ({ ...first, ...end }))
    expect(logged(marble, until)).toEqual([{ type: 'request', ...first, messages: 1, tools: 0 }, ...expected])
  })

  it('numbers the requests, and names the session', () => {
    const entries: RequestLog[] = []
    const provider = logRequests((entry) => entries.push(entry))(() => of(deltas.d))
    for (let count = 0; count < 2; count++) provider({ ...sampleRequest, sessionId: 'session' }).subscribe()
    expect(entries.map(({ number, type }) => `${number} ${type}`)).toEqual([
      '1 request',
      '1 done',
      '2 request',
      '2 done',
    ])
    expect(entries[2]).toMatchObject({ sessionId: 'session' })
  })

  it.each<[string, Provider]>([
    ['throws', () => { throw failure }], // prettier-ignore
    ['fails', () => throwError(() => failure)],
  ])('reports a provider that %s in the call', (_, provider) => {
    const entries: RequestLog[] = []
    const errors: unknown[] = []
    logRequests((entry) => entries.push(entry))(provider)(sampleRequest).subscribe({
      error: (error: unknown) => errors.push(error),
    })
    expect([entries.map(({ type }) => type), errors]).toEqual([['request', 'failed'], [failure]])
  })

  it.each([1, 2])('fails with a throw of log at call %d', (call) => {
    const broken = new Error('broken')
    let count = 0
    const errors: unknown[] = []
    const provider = logRequests(() => {
      if (++count === call) throw broken
    })(() => of(deltas.d))
    provider(sampleRequest).subscribe({ error: (error: unknown) => errors.push(error) })
    expect(errors).toEqual([broken])
  })
})
