// Tests retries of a request whose provider is busy: for minutes, unless something else can answer.
import { NEVER, concat, defer, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { retryRequest } from '../../../lib/operators/request/retry-request.ts'
import type { RetryRequestOptions } from '../../../lib/operators/request/retry-request.ts'
import { timeline } from '../../../lib/testing/timeline.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import type { FailureData, ProviderFailureKind } from '../../../lib/streams/values/failure.ts'
import { done, failWith, nameOf, steady, text } from './retry-request-scene.ts'

type Attempts = readonly Observable<AssistantDelta>[]

/** The timeline of a request with these attempts; a single one is repeated. */
function play(attempts: Attempts, options: RetryRequestOptions = {}): string {
  const [only$] = attempts.length === 1 ? attempts : []
  const attempt$ = (number: number): Observable<AssistantDelta> => only$ ?? attempts[number - 1] ?? NEVER
  return timeline(
    defer(() => retryRequest(attempt$, { ...steady, ...options })),
    { name: nameOf, until: 1_000_000 },
  )
}

const waitsOf = (played: string): readonly number[] => (played.match(/(?<=@)\d+/g) ?? []).map(Number)

describe.each<ProviderFailureKind>(['rate_limit', 'overloaded'])('%s', (kind) => {
  const fail$ = (data: FailureData = {}) => failWith(kind, data)

  it('is tried again for ten minutes, with waits of at most a minute [LOOP-28j]', () => {
    const played = play([fail$()])
    const seconds = [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60, 60, 60, 57]
    expect(waitsOf(played)).toEqual(seconds.map((each) => each * 1_000))
    expect(played).toMatch(/ 600000:#$/)
  })

  it('gets an answer after a busy quarter of an hour if the setting allows it [LOOP-28j]', () => {
    const attempts = [...Array.from({ length: 19 }, () => fail$()), of(done)]
    expect(play(attempts, { busyMs: 1_200_000 })).toMatch(/ 843000:d\|$/)
  })

  it('is waited for in full if the provider says how long, and it fits what is left [LOOP-28d]', () => {
    expect(play([fail$({ retryAfterMs: 599_000 }), of(done)])).toBe('0:r2@599000 599000:d|')
    expect(play([fail$({ retryAfterMs: 600_000 }), of(done)])).toBe('0:r2@600000 600000:d|')
    expect(play([fail$({ retryAfterMs: 600_001 }), of(done)])).toBe('0:#')
    expect(play([fail$({ retryAfterMs: 400_000 }), fail$({ retryAfterMs: 200_001 })])).toBe('0:r2@400000 400000:#')
  })

  it('is not asked without end if the provider asks for no wait', () => {
    const waits = waitsOf(play([fail$({ retryAfterMs: 0 })]))
    expect([waits.slice(0, 4), waits.length < 20]).toEqual([[0, 0, 4_000, 8_000], true])
  })

  it('gets three attempts if a fallback follows [LOOP-28k]', () => {
    expect(play([fail$()], { hasFallback: true })).toBe('0:r2@1000 1000:r3@2000 3000:#')
    expect(play([fail$({ retryAfterMs: 60_001 })], { hasFallback: true })).toBe('0:#')
  })

  it('gets three attempts if another key follows [LOOP-28k]', () => {
    const otherKey = { from: 'the first', to: 'the second', keys: 1 }
    expect(play([fail$({ otherKey })])).toBe('0:r2@1000 1000:r3@2000 3000:#')
  })

  it('gets three attempts with a setting of 0 [LOOP-28k]', () => {
    expect(play([fail$()], { busyMs: 0 })).toBe('0:r2@1000 1000:r3@2000 3000:#')
  })

  it('does not use up the attempts of another failure', () => {
    const attempts = [...Array.from({ length: 5 }, () => fail$()), failWith('network'), failWith('stall'), of(done)]
    expect(play(attempts)).toMatch(/:d\|$/)
  })

  it('is never retried after something was visible', () => {
    expect(play([concat(of(text), fail$())])).toBe('0:t#')
  })
})
