// Tests the scripted provider: its deltas, pieces, delays and failures.
import { lastValueFrom, map, take, tap, toArray } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { ScriptedProvider, ScriptedReply } from '../../../lib/providers/offline/scripted.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { aRequest } from './a-request.ts'
import { foldDeltas } from './fold-deltas.ts'

/** The deltas that one subscription emits synchronously. */
function synchronously(provider: ScriptedProvider, request = aRequest()) {
  const deltas: AssistantDelta[] = []
  let ended: unknown = 'still open'
  const subscription = provider(request).subscribe({
    next: (delta) => deltas.push(delta),
    error: (error: unknown) => (ended = error),
    complete: () => (ended = 'complete'),
  })
  subscription.unsubscribe()
  return { deltas, ended, message: foldDeltas(deltas) }
}

/** Virtual time: pieces are letters of the alphabet, `d` is done. */
function marbles(reply: ScriptedReply, expected: string, unsubscribed?: string) {
  new TestScheduler((actual, wanted) => {
    expect(actual).toEqual(wanted)
  }).run(({ expectObservable }) => {
    const letter$ = scripted([reply])(aRequest()).pipe(
      map((delta) => ('text' in delta ? delta.text : delta.type === 'done' ? 'd' : '-')),
    )
    expectObservable(letter$, unsubscribed).toBe(expected, letters)
  })
}
const letters = { s: '-', a: 'a', b: 'b', c: 'c', d: 'd' }

describe('scripted', () => {
  it('emits a text answer synchronously', () => {
    const { deltas, ended } = synchronously(scripted(['Hello']))
    expect(deltas.map((delta) => delta.type)).toEqual(['start', 'text_start', 'text_delta', 'text_end', 'done'])
    expect(ended).toBe('complete')
  })

  it('emits thinking, then text, then calls, with ids from the numbers of request and call', () => {
    const provider = scripted([
      'first',
      { thinking: 'hm', text: 'so', toolCalls: [{ name: 'read', arguments: { path: 'a' } }, { name: 'ls' }] },
    ])
    synchronously(provider)
    const { message } = synchronously(provider)
    expect(message.content).toEqual([
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'so' },
      { type: 'toolCall', id: 'call_2_1', name: 'read', arguments: { path: 'a' } },
      { type: 'toolCall', id: 'call_2_2', name: 'ls', arguments: {} },
    ])
    expect(message.stopReason).toBe('toolUse')
  })

  it('keeps arguments that are no JSON as text', () => {
    const { message } = synchronously(scripted([{ toolCalls: [{ name: 'read', arguments: '{"path"' }] }]))
    expect(message.content[0]).toMatchObject({ arguments: {}, argumentsText: '{"path"' })
  })

  it('splits text into pieces of the set length and never inside a surrogate pair [MESSAGE-surrogates]', () => {
    const { deltas } = synchronously(scripted([{ text: 'ab😀cd', pieceLength: 3 }]))
    expect(deltas.flatMap((delta) => ('text' in delta ? [delta.text] : []))).toEqual(['ab😀', 'cd'])
  })

  it('emits the texts of an array as the pieces', () => {
    const { deltas } = synchronously(scripted([{ text: ['a', '', 'bc'], pieceLength: 1 }]))
    expect(deltas.flatMap((delta) => ('text' in delta ? [delta.text] : []))).toEqual(['a', '', 'bc'])
  })

  it('fails with the kind, status and retry-after of the script, after its content', () => {
    const { message, ended } = synchronously(
      scripted([{ text: 'so far', error: { kind: 'rate_limit', status: 429, retryAfterMs: 1500 } }]),
    )
    expect(message.content).toEqual([{ type: 'text', text: 'so far' }])
    expect(ended).toMatchObject({
      code: 'provider_error',
      data: { kind: 'rate_limit', status: 429, retryAfterMs: 1500 },
    })
  })

  it('fails with the Failure of the script unchanged', () => {
    const failure = new Failure('provider_error', 'no')
    expect(synchronously(scripted([failure])).ended).toBe(failure)
  })

  it('completes without `done` for an early end, and stays open for no end', () => {
    expect(synchronously(scripted([{ text: 'a', end: 'early' }])).message.stopReason).toBe('aborted')
    expect(synchronously(scripted([{ text: 'a', end: 'early' }])).ended).toBe('complete')
    expect(synchronously(scripted([{ text: 'a', end: 'never' }])).ended).toBe('still open')
  })

  it('computes the cost from the prices of the requested model', () => {
    const usage = { input: 1_000_000, output: 500_000 }
    const priced = { ...scriptedModel, prices: { input: 2, output: 8 } }
    expect(synchronously(scripted([{ usage }]), aRequest({ model: priced })).message.usage).toMatchObject({
      totalTokens: 1_500_000,
      cost: { input: 2, output: 4, total: 6 },
    })
  })

  it('records each request with a copy of its messages', () => {
    const messages = [{ role: 'user', content: 'a', timestamp: 1 } as const]
    const provider = scripted(['x', 'y'])
    synchronously(provider, aRequest({ messages }))
    messages.push({ role: 'user', content: 'a', timestamp: 2 } as never)
    expect(provider.requests.map((request) => request.messages.length)).toEqual([1])
  })

  it('consumes no reply before the subscription, and one for each subscription', async () => {
    const provider = scripted((_request, number) => `answer ${number}`)
    const answer$ = provider(aRequest())
    expect(provider.requests).toHaveLength(0)
    const texts: string[] = []
    const noted$ = answer$.pipe(tap((delta) => delta.type === 'text_delta' && texts.push(delta.text)))
    for (let round = 0; round < 2; round++) await lastValueFrom(noted$, { defaultValue: undefined })
    expect(texts).toEqual(['answer 1', 'answer 2'])
  })

  it('fails if the script is used up', () => {
    const { ended } = synchronously(scripted([]))
    expect(ended).toMatchObject({ data: { kind: 'bad_request' } })
    expect(String(ended)).toContain('0 answers and this is request 1')
  })

  it('fails the answer if a script function throws', () => {
    const { ended } = synchronously(
      scripted(() => {
        throw new Error('no such case')
      }),
    )
    expect(String(ended)).toContain('no such case')
  })

  it('waits before the first piece', () => {
    marbles({ text: ['a', 'b'], delayMs: 10 }, '10ms (ssabsd|)')
  })

  it('delays pieces, and emits the start and end of a block with them', () => {
    marbles({ text: ['a', 'b', 'c'], delayMs: 10, pieceDelayMs: 20 }, '10ms (ssa) 15ms b 19ms (csd|)')
  })

  it('emits nothing between delayed pieces', () => {
    marbles({ delayMs: 5 }, '5ms (sd|)')
  })

  it('stops its timer on unsubscribe', () => {
    marbles({ text: ['a', 'b', 'c'], delayMs: 10, pieceDelayMs: 20 }, '10ms (ssa) 15ms b', '40ms !')
  })

  it('returns an Observable of the script unchanged', () => {
    new TestScheduler((actual, wanted) => {
      expect(actual).toEqual(wanted)
    }).run(({ cold, expectObservable, expectSubscriptions }) => {
      const deltas$ = cold<AssistantDelta>('--a--b', {
        a: { type: 'text_start', contentIndex: 0 },
        b: { type: 'text_end', contentIndex: 0 },
      })
      expectObservable(scripted([{ deltas$ }])(aRequest()), '---!').toBe('--a', {
        a: { type: 'text_start', contentIndex: 0 },
      })
      expectSubscriptions(deltas$.subscriptions).toBe('^--!')
    })
  })

  it('emits 100,000 deltas of a generator without storing them', async () => {
    let made = 0
    function* deltas(): Generator<AssistantDelta> {
      for (; made < 100_000; made++) yield { type: 'text_delta', contentIndex: 0, text: 'x' }
    }
    const all = await lastValueFrom(scripted([deltas()])(aRequest()).pipe(toArray()), { defaultValue: [] })
    expect(all).toHaveLength(100_000)
  })

  it('reads a generator only as far as it is subscribed', async () => {
    let made = 0
    function* deltas(): Generator<AssistantDelta> {
      for (;;) {
        made++
        yield { type: 'text_delta', contentIndex: 0, text: 'x' }
      }
    }
    await lastValueFrom(scripted([deltas()])(aRequest()).pipe(take(3)), { defaultValue: undefined })
    expect(made).toBe(3)
  })
})
