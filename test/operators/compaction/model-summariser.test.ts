// Tests the summary of a model: its request, its progress, and every way in which it can fail.
import { NEVER, concat, defer, from, ignoreElements, mergeMap, of, tap, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { modelSummariser } from '../../../lib/operators/compaction/model-summariser.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { ScriptedFunction, ScriptedReply } from '../../../lib/providers/offline/scripted.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { messageText } from '../../../lib/streams/messages/message-text.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { StopReason } from '../../../lib/streams/messages/message.ts'
import type { Provider } from '../../../lib/streams/ports/provider.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { aUser } from '../../providers/adapter/messages.ts'

const request = { messages: [aUser('Hello')], reason: 'compaction' } as const
const model = { ...scriptedModel, contextWindow: 100_000 }
const optionsOf = (provider: Provider, attempts = 1) => ({
  settings: () => ({ model, provider }),
  retry: { attempts, baseDelayMs: 5, jitter: () => 0 },
  sessionId: 's',
  idleMs: 50,
})
const done = (stopReason: StopReason): AssistantDelta => ({ type: 'done', stopReason, usage: noUsage })
const text = (words: string): AssistantDelta[] => [
  { type: 'text_start', contentIndex: 0 },
  { type: 'text_delta', contentIndex: 0, text: words },
]
const overflow = () => new Failure('provider_error', 'too long', { data: { kind: 'context_overflow' } })

/** What comes of a script at once: the values, or the failure. */
function summaryOf(script: readonly (ScriptedReply | ScriptedFunction)[]) {
  const provider = scripted(script)
  const values: unknown[] = []
  let failure: unknown
  modelSummariser(optionsOf(provider))(request).subscribe({
    next: (value) => values.push(value),
    error: (thrown: unknown) => (failure = thrown),
  })
  return { values, failure, requests: provider.requests }
}

describe('modelSummariser', () => {
  it('asks once, without tools and thinking, and gives text, usage and model', () => {
    const { values, requests } = summaryOf(['A summary. '])
    expect(values).toMatchObject([{ text: 'A summary.', usage: { output: expect.any(Number) as number } }])
    expect(values).toMatchObject([{ model: 'scripted/scripted' }])
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({ tools: [], thinkingLevel: 'off', sessionId: 's' })
    expect(requests[0]?.messages.map(messageText).join()).toContain('[user]\nHello')
  })

  it('reports how far it is, in steps', () => {
    const piece: AssistantDelta = { type: 'text_delta', contentIndex: 0, text: 'x'.repeat(100) }
    const { values } = summaryOf([[...text(''), ...Array<AssistantDelta>(6).fill(piece), done('stop')]])
    expect(values.slice(0, -1)).toEqual([{ characters: 300 }, { characters: 600 }])
  })

  it.each<[string, ScriptedReply, string]>([
    ['calls a tool', { toolCalls: [{ name: 'bash', arguments: { command: 'rm' } }] }, 'called a tool'],
    ['is cut off', [...text('half'), done('length')], 'output limit'],
    ['ends for another reason', [...text('half'), done('error')], 'stop reason error'],
    ['is aborted by its provider', [...text('half'), done('aborted')], 'stop reason aborted'],
    ['writes nothing', [done('stop')], 'wrote no summary'],
    ['writes spaces', [...text(' \n'), done('stop')], 'wrote no summary'],
    ['writes without end', [...text('x'.repeat(1_048_577)), done('stop')], 'more than 1048576'],
    ['ends early', text('half'), 'ended before it was complete'],
    ['sends what is no delta', [{ type: 'nonsense' } as unknown as AssistantDelta], 'not a delta'],
    ['is refused', new Failure('provider_error', 'no key', { data: { kind: 'auth' } }), 'no key'],
  ])('fails if the model %s', (_, reply, words) => {
    const { values, failure } = summaryOf([reply])
    expect(failure).toMatchObject({ code: 'provider_error', message: expect.stringContaining(words) as string })
    expect(values.every((value) => !Object.hasOwn(value as object, 'text'))).toBe(true)
  })

  const used = { input: 4, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 5, cost: 'unknown' as const }

  it('reports what its request used before it fails', () => {
    const { values, failure } = summaryOf([
      [{ type: 'usage', usage: used }, ...text('Half'), { type: 'done', stopReason: 'length', usage: used }],
    ])
    expect(failure).toMatchObject({ code: 'provider_error' })
    expect(values).toMatchObject([
      { characters: 0, usage: { input: 4, output: 1 } },
      { characters: 4, usage: { input: 4, output: 1 } },
    ])
  })

  it('adds up what failed attempts and requests that were too long used', () => {
    const failing =
      (failure: Failure): Provider =>
      () =>
        concat(
          of<AssistantDelta>({ type: 'usage', usage: used }),
          defer(() => {
            throw failure
          }),
        )
    const busy = new Failure('provider_error', 'busy', { data: { kind: 'network' } })
    const answer: AssistantDelta[] = [...text('All.'), { type: 'done', stopReason: 'stop', usage: used }]
    const whole$: Provider = () => from(answer)
    const attempts = [failing(busy), failing(overflow()), whole$]
    const values: unknown[] = []
    marbles(({ cold, expectObservable }) => {
      const summary$ = modelSummariser(optionsOf((sent) => (attempts.shift() ?? whole$)(sent), 2))(request)
      expectObservable(cold('a|').pipe(mergeMap(() => summary$), tap((value) => values.push(value)), ignoreElements())).toBe('5ms |') // prettier-ignore
    })
    expect(values.at(-1)).toMatchObject({ text: 'All.', usage: { input: 12, output: 3, totalTokens: 15 } })
  })

  it('asks again with half of the text while the request is too long, three times at most', () => {
    const long = {
      messages: Array.from({ length: 1_000 }, () => aUser('x'.repeat(1_000))),
      reason: 'compaction',
    } as const
    const provider = scripted([overflow(), overflow(), 'Short.'])
    const values: unknown[] = []
    modelSummariser(optionsOf(provider))(long).subscribe((value) => values.push(value))
    expect(values).toMatchObject([{ text: 'Short.' }])
    const lengths = provider.requests.map(({ messages }) => messages.map(messageText).join('').length)
    expect(lengths.map((length) => Math.round(length / 1_000))).toEqual([180, 90, 45])
    expect(summaryOf([overflow(), overflow(), overflow(), overflow(), 'Never']).failure).toMatchObject({
      data: { kind: 'context_overflow' },
    })
  })

  it('fails if the model is not to be had', () => {
    const settings = () => {
      throw new Failure('no_model', 'none')
    }
    const failures: unknown[] = []
    modelSummariser({ settings, idleMs: 50 })(request).subscribe({ error: (thrown: unknown) => failures.push(thrown) })
    expect(failures).toMatchObject([{ code: 'no_model' }])
  })

  it('repeats what may be repeated, and fails when the model says nothing for its idle limit', () => {
    marbles(({ cold, expectObservable }) => {
      const network = new Failure('provider_error', 'gone', { data: { kind: 'network' } })
      let attempts = 0
      const provider: Provider = () =>
        defer(() =>
          ++attempts === 1
            ? cold<AssistantDelta>('--#', {}, network)
            : concat(of(...text('Ok')), cold<AssistantDelta>('--(d|)', { d: done('stop') })),
        )
      const summary$ = modelSummariser(optionsOf(provider, 2))(request)
      // 2 ms to the failure, 5 ms until the next attempt, 2 ms to its end
      expectObservable(summary$).toBe('9ms (s|)', { s: { text: 'Ok', usage: noUsage, model: 'scripted/scripted' } })
    })
    marbles(({ expectObservable, flush }) => {
      const failures: unknown[] = []
      const provider: Provider = () => concat(of(...text('Half')), NEVER)
      modelSummariser(optionsOf(provider))(request).subscribe({ error: (thrown: unknown) => failures.push(thrown) })
      expectObservable(NEVER).toBe('')
      flush()
      expect(failures).toMatchObject([{ data: { kind: 'stall' } }])
    })
  })

  it('tries a busy model of the role three times, and then its fallback', () => {
    marbles(({ expectObservable }) => {
      const limited = new Failure('provider_error', 'busy', { data: { kind: 'rate_limit' } })
      const fallback = { model: { ...model, id: 'other' }, provider: () => of(...text('Ok'), done('stop')) }
      const settings = () => ({
        model,
        provider: () => throwError(() => limited),
        role: 'summary' as const,
        fallbacks: [fallback],
      })
      const summary$ = modelSummariser({ settings, retry: { baseDelayMs: 5, jitter: () => 0 }, idleMs: 50 })(request)
      // 5 and 10 ms between the attempts
      expectObservable(summary$).toBe('15ms (s|)', { s: { text: 'Ok', usage: noUsage, model: 'scripted/other' } })
    })
  })

  it('cancels its request when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const delta$ = cold<AssistantDelta>('-a---d', { a: { type: 'text_start', contentIndex: 0 }, d: done('stop') })
      expectObservable(modelSummariser(optionsOf(() => delta$))(request), '^--!').toBe('')
      expectSubscriptions(delta$.subscriptions).toBe('^--!')
    })
  })
})
