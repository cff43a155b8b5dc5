// Tests the rotation of a provider's keys after a rate limit.
// Over 250 lines: the rules of one rotation, on one set of keys and providers.
import { concat, defer, mergeMap, of, throwError, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { retryRequest } from '../../../lib/operators/request/retry-request.ts'
import { createKeyMemory } from '../../../lib/providers/keys/key-memory.ts'
import type { KeyMemory } from '../../../lib/providers/keys/key-memory.ts'
import { rotateKeys } from '../../../lib/providers/keys/key-rotation.ts'
import type { RotateKeysOptions } from '../../../lib/providers/keys/key-rotation.ts'
import type { ProviderKey } from '../../../lib/providers/keys/provider-key.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { FailureData } from '../../../lib/streams/values/failure.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { timeline } from '../../../lib/testing/timeline.ts'
import { aRequest } from '../offline/a-request.ts'
import { resultOf } from '../../support/result-of.ts'

const done: AssistantDelta = { type: 'done', stopReason: 'stop', usage: noUsage }

function aKey(value: string, own: Partial<ProviderKey> = {}): ProviderKey {
  return {
    identity: value,
    label: `key ${value}`,
    origin: { from: 'models', kind: 'key', used: true },
    value$: of(value),
    isFromMemory: () => false,
    forget: () => undefined,
    ...own,
  }
}

/** The failures of each key, one a request; after them a request succeeds with `done`. */
type Script = Readonly<Record<string, readonly FailureData[]>>

/** A provider whose requests emit the key, for example `a`, and end as the script says. */
function keyed(script: Script, own: Partial<RotateKeysOptions> = {}) {
  const requests: (string | undefined)[] = []
  const counts = new Map<string, number>()
  function answer(key: string | undefined): Observable<AssistantDelta> {
    return defer(() => {
      requests.push(key)
      const count = counts.get(key ?? '') ?? 0
      counts.set(key ?? '', count + 1)
      const data = script[key ?? '']?.[count]
      return data === undefined ? of(done) : throwError(() => new Failure('provider_error', 'limited', { data }))
    })
  }
  const provider = rotateKeys({
    provider: 'maker',
    keys: () => [aKey('a'), aKey('b')],
    memory: createKeyMemory(),
    respondWith: (key$) => () => key$.pipe(mergeMap(answer)),
    ...own,
  })
  return { requests, provider }
}

/** The timeline of one request with its retries: `a>b` is a change of key, `r@ms` a retry, `d` is done. */
function retried(provider: ReturnType<typeof keyed>['provider']) {
  const request = aRequest()
  return retryRequest(() => defer(() => provider(request)), { jitter: () => 0 })
}

function nameOf(value: {
  readonly type: string
  readonly from?: string
  readonly to?: string
  readonly delayMs?: number
}) {
  if (value.type !== 'auto_retry') return value.type.slice(0, 1)
  if (value.from === undefined) return `r@${value.delayMs ?? ''}`
  return `${value.from.slice(4)}>${(value.to ?? '').slice(4)}`
}

const limit = (retryAfterMs?: number): FailureData => ({
  kind: 'rate_limit',
  status: 429,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
})

function played(script: Script, own: Partial<RotateKeysOptions> = {}): string {
  return timeline(
    defer(() => retried(keyed(script, own).provider)),
    { name: nameOf, until: 10_000_000 },
  )
}

describe('with several keys', () => {
  it('uses the first key as long as requests succeed', async () => {
    const { requests, provider } = keyed({})
    for (let request = 0; request < 3; request++) await resultOf(retried(provider))
    expect(requests).toEqual(['a', 'a', 'a'])
  })

  it('switches to the next key at once after a rate limit, without counting an attempt', () => {
    expect(played({ a: [limit(3_600_000)] })).toBe('0:a>b,d,|')
    expect(played({ a: [limit()] })).toBe('0:a>b,d,|')
  })

  it('uses a limited key again when its retry-after time is over', () => {
    const script = { a: [limit(20_000)] }
    const memory = createKeyMemory()
    const shown: string[] = []
    timeline(
      defer(() => {
        const { requests, provider } = keyed(script, { memory })
        function at(ms: number) {
          return timer(ms).pipe(mergeMap(() => retried(provider)))
        }
        return concat(at(0), at(10_000), at(10_000)).pipe(
          mergeMap((value) => (shown.splice(0, 9, requests.join('')), of(value))),
        )
      }),
      { name: nameOf, until: 100_000 },
    )
    expect(shown).toEqual(['abba'])
  })

  it('waits for the key that is available first if all are limited', () => {
    expect(played({ a: [limit(30_000)], b: [limit(5_000)] })).toBe('0:a>b,r@5000 5000:d|')
  })

  it('retries with the usual delays if no response has a retry-after time', () => {
    expect(played({ a: [limit()], b: [limit()] })).toBe('0:a>b,r@1000 1000:d|')
  })

  it('tries each key once per attempt if all are limited with retry-after 0', () => {
    const always = Array.from({ length: 50 }, () => limit(0))
    expect(played({ a: always, b: always })).toBe(
      // as a busy provider: for ten minutes
      '0:a>b,r@1000 1000:a>b,r@1000 2000:a>b,r@4000 6000:a>b,r@8000 14000:a>b,r@16000 30000:a>b,r@32000 62000:a>b,r@60000 122000:a>b,r@60000 182000:a>b,r@60000 242000:a>b,r@60000 302000:a>b,r@60000 362000:a>b,r@60000 422000:a>b,r@60000 482000:a>b,r@60000 542000:a>b,r@58000 600000:a>b,#',
    )
  })

  it('switches to the next key if an account has no credit', () => {
    expect(played({ a: [{ kind: 'auth', status: 429, providerCode: 'insufficient_quota' }] })).toBe('0:a>b,d,|')
    expect(played({ a: [{ kind: 'auth', status: 402 }] })).toBe('0:a>b,d,|')
  })

  it.each<[string, FailureData]>([
    ['a refused key', { kind: 'auth', status: 401 }],
    ['a bad request', { kind: 'bad_request', status: 400 }],
    ['an overflow', { kind: 'context_overflow', status: 400 }],
  ])('does not switch keys after %s', (_, data) => {
    expect(played({ a: [data] })).toBe('0:#')
  })

  it('retries an overloaded provider with the same key', () => {
    expect(played({ a: [{ kind: 'overloaded' }] })).toBe('0:r@1000 1000:d|')
  })

  it('skips a limited key in all sessions of the process', async () => {
    const memory: KeyMemory = createKeyMemory()
    const first = keyed({ a: [limit(60_000)] }, { memory })
    await resultOf(retried(first.provider))
    const second = keyed({}, { memory })
    await resultOf(retried(second.provider))
    expect([first.requests, second.requests]).toEqual([['a', 'b'], ['b']])
  })

  it('keeps a session at the key that it used last, so that its cache is used [LOOP-28n]', () => {
    const memory = createKeyMemory()
    const shown: string[] = []
    const { requests, provider } = keyed({ a: [limit(20_000)] }, { memory })
    const requestAt$ = (ms: number, sessionId: string) =>
      timer(ms).pipe(mergeMap(() => retryRequest(() => provider({ ...aRequest(), sessionId }), { jitter: () => 0 })))
    timeline(
      defer(() =>
        concat(requestAt$(0, 'one'), requestAt$(30_000, 'one'), requestAt$(0, 'two'), requestAt$(0, 'one')).pipe(
          mergeMap((value) => (shown.splice(0, 9, requests.join('')), of(value))),
        ),
      ),
      { name: nameOf, until: 100_000 },
    )
    expect(shown).toEqual(['abbab'])
  })

  it('lets a key without credit rest for the time that its provider names [LOOP-28o]', async () => {
    const rests: unknown[] = []
    const memory = { ...createKeyMemory(), cool: (...rest: unknown[]) => void rests.push(rest) }
    const noCredit = { kind: 'auth', status: 429, providerCode: 'insufficient_quota', retryAfterMs: 7_200_000 } as const
    await resultOf(retried(keyed({ a: [noCredit] }, { memory }).provider))
    expect(rests).toEqual([['a', { ms: 7_200_000, isReported: true }]])
  })

  it('puts labels into events, never keys', () => {
    const planted = 'sk-planted-0123456789'
    const keys = () => [aKey(planted, { label: 'the stored key abcdefg2' }), aKey('b')]
    const events: unknown[] = []
    timeline(
      defer(() =>
        retried(keyed({ [planted]: [limit()] }, { keys }).provider).pipe(
          mergeMap((event) => (events.push(event), of(event))),
        ),
      ),
      { name: nameOf, until: 100_000 },
    )
    expect(events).toMatchObject([{ type: 'auto_retry', from: 'the stored key abcdefg2', to: 'key b' }, done])
    expect(JSON.stringify(events)).not.toContain(planted)
  })
})

describe('with one key', () => {
  it('waits for the limit and retries with the same key', () => {
    expect(played({ a: [limit(2_000)] }, { keys: () => [aKey('a')] })).toBe('0:r@2000 2000:d|')
  })

  it('runs a key command again, once, if its cached key is refused', () => {
    const command = (stored: boolean) => {
      const forgotten: string[] = []
      const origin = { from: 'models', kind: 'command', used: true } as const
      const keys = () => [aKey('a', { origin, isFromMemory: () => stored, forget: () => forgotten.push('a') })]
      const refused: FailureData = { kind: 'auth', status: 401 }
      return [played({ a: [refused, refused] }, { keys }), forgotten.length]
    }
    expect(command(true)).toEqual(['0: key a gave before> it gives now,#', 2])
    expect(command(false)).toEqual(['0:#', 1])
  })

  it('sends no key if there is none', async () => {
    const { requests, provider } = keyed({}, { keys: () => [] })
    await resultOf(retried(provider))
    expect(requests).toEqual([undefined])
  })

  it('uses a newly stored key from the next request on', async () => {
    let value = 'a'
    const { requests, provider } = keyed({}, { keys: () => [aKey(value)] })
    await resultOf(retried(provider))
    value = 'c'
    await resultOf(retried(provider))
    expect(requests).toEqual(['a', 'c'])
  })
})

describe('getApiKey', () => {
  it('is called for each request and takes precedence over all other keys', async () => {
    let count = 0
    const { requests, provider } = keyed({}, { getApiKey: (name) => Promise.resolve(`${name} ${count++}`) })
    await resultOf(retried(provider))
    await resultOf(retried(provider))
    expect(requests).toEqual(['maker 0', 'maker 1'])
  })

  it.each<[string, RotateKeysOptions['getApiKey']]>([
    ['undefined', () => undefined],
    ['a promise of undefined', () => Promise.resolve(undefined)],
    ['nothing', () => []],
  ])('falls back to the other keys if it returns %s', async (_, getApiKey) => {
    const { requests, provider } = keyed({}, getApiKey === undefined ? {} : { getApiKey })
    await resultOf(retried(provider))
    expect(requests).toEqual(['a'])
  })

  it.each([
    () => {
      throw new Error('the vault is closed')
    },
    () => Promise.reject(new Error('the vault is closed')),
  ])('fails the request with kind auth if it throws or rejects', async (getApiKey) => {
    const refused = resultOf(retried(keyed({}, { getApiKey }).provider))
    await expect(refused).rejects.toMatchObject({ data: { kind: 'auth' } })
    await expect(refused).rejects.toThrow('getApiKey returned no key for maker: the vault is closed')
  })
})
