// Tests runs whose provider emits invalid deltas: the message still ends (docs/loop.md#ends).
// Over 250 lines: one table of invalid provider output, and the tests of streams that never end.
import fc from 'fast-check'
import { EMPTY, NEVER, concat, concatMap, from, map, of, range, startWith, throwError, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { Provider } from '../../../lib/streams/ports/provider.ts'
import { checkEvent } from '../../../lib/streams/validation/validators.ts'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'
import { faultsOfRun } from '../../support/laws.ts'
import { sampleSize } from '../../support/sample-size.ts'

const start = { type: 'text_start', contentIndex: 0 }
const text = { type: 'text_delta', contentIndex: 0, text: 'so far' }
const end = { type: 'text_end', contentIndex: 0 }
const done = { type: 'done', stopReason: 'stop', usage: noUsage }
const call = { type: 'toolcall_start', contentIndex: 0, id: 'c', name: 'a' }

/** Runs with a provider that ignores its types. */
function playProvider(provider: () => unknown): VirtualRun {
  const tools = [fakeTool('a', 'x')]
  return virtualRun({
    script: [],
    ports: {
      activeTools: () => tools,
      settings: () => ({
        model: scriptedModel,
        provider: provider as Provider,
        system: '',
        thinkingLevel: 'off',
        tools,
      }),
      idle: { first: 120_000, each: 120_000 },
      wallClockMs: 172_800_000,
    },
  })
}

/** Returns how the run ended, after checking that it ended cleanly and that each event has JSON text. */
function endOf(played: VirtualRun): EventNamed<'agent_end'> {
  expect([played.end, faultsOfRun(played.events)]).toEqual(['complete', []])
  for (const event of played.events) expect(checkEvent(event)).toMatchObject({ ok: true })
  const last = played.events.find((event) => event.type === 'agent_end')
  if (last === undefined) throw new Error('the run has no end')
  return last
}

describe('a provider that sends garbage [LOOP-23d]', () => {
  it.each<[string, unknown[], string]>([
    ['a piece without a block', [text], 'text_delta for block 0, whose block is not open'],
    ['an end without a start', [end], 'text_end for block 0, whose block is not open'],
    ['a piece of a missing block', [start, { ...text, contentIndex: 3 }], 'text_delta for block 3, whose'],
    ['a piece of a closed block', [start, end, text], 'text_delta for block 0, whose block is not open'],
    ['a skipped block index', [{ ...start, contentIndex: 1 }], 'text_start for block 1, but the next block is 0'],
    ['a second start', [start, start], 'text_start for block 0, but the next block is 1'],
    ['a second end', [start, end, end], 'text_end for block 0, whose block is not open'],
    ['the end of another kind of block', [start, { ...end, type: 'thinking_end' }], 'thinking_end for block 0, whose'],
    ['a piece of another kind of block', [call, text], 'text_delta for block 0, whose block is not open'],
    [
      'a negative index',
      [{ ...start, contentIndex: -1 }],
      'text_start for block -1, which is not a delta: /contentIndex must be at least 0',
    ],
    ['a piece with a negative index', [start, { ...text, contentIndex: -1 }], 'text_delta for block -1, whose'],
    [
      'a fractional index',
      [{ ...start, contentIndex: 0.5 }],
      'text_start for block 0.5, which is not a delta: /contentIndex must be',
    ],
    ['a piece with a fractional index', [start, { ...text, contentIndex: 0.5 }], 'text_delta for block 0.5, whose'],
    ['an index that is not a number', [start, { ...text, contentIndex: '0' }], 'text_delta, which is not a delta'],
    ['a piece without text', [start, { ...text, text: null }], 'text_delta for block 0, which is not a delta'],
    ['a piece whose text is a number', [start, { ...text, text: 5 }], 'text_delta for block 0, which is not a delta'],
    ['a piece whose text is a list', [start, { ...text, text: ['a'] }], 'text_delta for block 0, which is not a delta'],
    ['a call without a name', [{ ...call, name: undefined }], 'toolcall_start for block 0, which is not a delta'],
    [
      'a call whose id is a number',
      [{ ...call, id: 5 }],
      'toolcall_start for block 0, which is not a delta: /id must be text',
    ],
    [
      'a call whose id is a number',
      [{ ...call, id: 600 }],
      'toolcall_start for block 0, which is not a delta: /id must',
    ],
    [
      'arguments that are not an object',
      [call, { type: 'toolcall_end', contentIndex: 0, arguments: 'x' }],
      'toolcall_end for block 0, which is not a delta: /arguments must be an object',
    ],
    [
      'arguments that are not JSON',
      [call, { type: 'toolcall_end', contentIndex: 0, arguments: { size: 1n } }],
      'toolcall_end for block 0, which is not a delta: /arguments: it is not JSON (',
    ],
    [
      'a signature of the wrong type',
      [start, { ...end, signature: 7 }],
      'text_end for block 0, which is not a delta: /signature must be',
    ],
    [
      'a block of an unknown kind',
      [{ type: 'song_start', contentIndex: 0 }],
      'song_start for block 0, which is not a delta',
    ],
    ['an unknown stop reason', [start, text, { ...done, stopReason: 'bored' }], 'done, which is no'],
    [
      'an end of a block as the end of the answer',
      [start, text, { ...done, contentIndex: 0 }],
      'done for block 0, whose block is',
    ],
    [
      'a usage of the wrong shape',
      [start, { type: 'usage', usage: { input: -1 } }],
      'usage, which is not a delta: /usage',
    ],
    [
      'a response id of the wrong type',
      [{ type: 'start', responseId: 5 }],
      'start, which is not a delta: /responseId must be',
    ],
  ])('%s: the message ends with an error that describes it', (_, deltas, problem) => {
    const { error, terminationReason } = endOf(playProvider(() => from([...deltas, text, done])))
    expect(terminationReason).toBe('error')
    expect(error).toMatchObject({ code: 'provider_error', data: { kind: 'network' } })
    expect(error?.message).toContain(`The provider sent ${problem}`)
  })

  it('drops data of a failure that are not JSON', () => {
    const failure = new Failure('provider_error', 'sad', { data: { kind: 'auth', status: 401, size: 1n } })
    const { error } = endOf(playProvider(() => throwError(() => failure)))
    expect(error).toEqual({ code: 'provider_error', message: 'sad', data: { kind: 'auth', status: 401 } })
  })

  it.each(['error', 'aborted'])('stop reason %s ends the run as an error that names it', (stopReason) => {
    const played = playProvider(() => from([start, text, { ...done, stopReason }]))
    expect(endOf(played)).toMatchObject({
      terminationReason: 'error',
      error: {
        code: 'provider_error',
        message: `The provider ended its answer with stop reason ${stopReason} and no details`,
      },
    })
    expect(played.messages.at(-1)).toMatchObject({ stopReason: 'error', content: [{ type: 'text', text: 'so far' }] })
  })

  it.each<[string, unknown, string]>([
    ['nothing', null, 'null'],
    ['undefined', undefined, 'undefined'],
    ['a number', 5, 'a number'],
    ['a text', 'text_delta', 'a string'],
    ['a list', [text], 'an object without a type'],
    ['an object without a type', {}, 'an object without a type'],
    ['an object of an unknown type', { type: 'song' }, 'song'],
    ['an event of a run', { type: 'agent_end', terminationReason: 'completed' }, 'agent_end'],
    ['an event of a request', { type: 'auto_retry', attempt: 9, delayMs: 0, kind: 'network' }, 'auto_retry'],
  ])('a value that is not a delta, %s: retried while nothing is visible, then the message ends', (_, value, named) => {
    const played = playProvider(() => of(value))
    const { error } = endOf(played)
    expect(error).toMatchObject({ code: 'provider_error', data: { kind: 'network' } })
    expect(error?.message).toContain(`The provider sent ${named}, which is not a delta`)
    expect(played.notation()).toBe('AS TS ms(user) me(user) auto_retry auto_retry ms(asst) me(asst) TE AE SET')
    const late = playProvider(() => from([start, text, value]))
    expect(endOf(late).error?.message).toBe(error?.message)
    expect(late.messages.at(-1)).toMatchObject({ stopReason: 'error', content: [{ text: 'so far' }] })
  })

  it.each([
    ['a delta after done', [start, text, done, text]],
    ['a second done', [start, text, done, { ...done, stopReason: 'length' }]],
    ['garbage after done', [start, text, done, null]],
  ])('ignores %s', (_, deltas) => {
    const played = playProvider(() => from(deltas))
    expect(endOf(played).terminationReason).toBe('completed')
    expect(played.messages.at(-1)).toMatchObject({ stopReason: 'stop', content: [{ text: 'so far' }] })
  })

  it('any garbage in any order: the run ends once, and each event can be written', () => {
    const index = fc.oneof(fc.constantFrom(0, 1, 2, -1, 0.5, NaN, 1e21), fc.constantFrom<unknown>('0', null, undefined))
    const type = fc.constantFrom(
      ...['text', 'thinking', 'toolcall', 'song'].flatMap((kind) =>
        ['start', 'delta', 'end'].map((what) => `${kind}_${what}`),
      ),
      ...['start', 'usage', 'done', 'message_end', '__proto__', 'constructor'],
    )
    const fields = {
      contentIndex: index,
      text: fc.oneof(fc.string(), fc.constantFrom<unknown>(null, 5, ['a'], {})),
      id: fc.constantFrom<unknown>('', 'c', 'd', 5, null),
      name: fc.constantFrom<unknown>('a', 'b', '', 5),
      arguments: fc.constantFrom<unknown>({}, { a: 1 }, [], 'x', null),
      usage: fc.constantFrom<unknown>(noUsage, {}, null),
      stopReason: fc.constantFrom('stop', 'toolUse', 'error', 'bored'),
    }
    const delta = fc.oneof(
      { weight: 5, arbitrary: fc.record({ type, ...fields }, { requiredKeys: ['type', 'contentIndex'] }) },
      { weight: 2, arbitrary: fc.record({ type, ...fields }, { requiredKeys: ['type'] }) },
      { weight: 3, arbitrary: fc.constantFrom<unknown>(start, text, end, done, call) },
      { weight: 1, arbitrary: fc.anything() },
    )
    const tail = fc.constantFrom(EMPTY, NEVER, of(done))
    fc.assert(
      fc.property(fc.array(fc.array(delta, { maxLength: 8 }), { maxLength: 3 }), tail, (answers, tail$) => {
        let number = 0
        const played = playProvider(() => concat(from(answers[number++] ?? [start, text, done]), tail$))
        expect(endOf(played).terminationReason).toMatch(/^(completed|error|idle_timeout)$/)
      }),
      { numRuns: sampleSize(200, 5_000) },
    )
  })
})

describe('a provider that is broken [LOOP-23d]', () => {
  it.each<[string, () => unknown, string]>([
    ['throws', () => throwBroken(), 'broken'],
    ['throws a value that is not an Error', () => throwValue('a text'), 'a text'],
    ['returns no Observable', () => undefined, "You provided 'undefined' where a stream was expected"],
    ['throws when it is subscribed', () => from([1]).pipe(map(throwBroken)), 'broken'],
  ])('%s: the message ends with a coded failure, without a retry', (_, provider, message) => {
    const played = playProvider(provider)
    expect(played.notation()).toBe('AS TS ms(user) me(user) ms(asst) me(asst) TE AE SET')
    expect(endOf(played)).toMatchObject({ terminationReason: 'error', error: { code: 'provider_error' } })
    expect(endOf(played).error?.message).toContain(message)
  })

  it('completes without done: retried while nothing is visible, then early_end', () => {
    const silent = playProvider(() => of({ type: 'start' }))
    expect(silent.notation()).toBe('AS TS ms(user) me(user) auto_retry auto_retry ms(asst) me(asst) TE AE SET')
    const visible = playProvider(() => from([start, text, end]))
    expect(visible.notation()).toBe('AS TS ms(user) me(user) ms(asst) mu me(asst) TE AE SET')
    for (const played of [silent, visible]) {
      const { error } = endOf(played)
      expect(error).toMatchObject({ code: 'provider_error', data: { kind: 'early_end' } })
      expect(error?.message).toMatch(/ended before it was complete/)
    }
  })
})

describe('a provider that never ends [LOOP-23d]', () => {
  const ticking$ = (deltas: readonly AssistantDelta[]): Observable<AssistantDelta> =>
    timer(1_000, 1_000).pipe(concatMap(() => deltas))

  it('and goes silent: a stall, with the content so far', () => {
    const played = playProvider(() => concat(from([start, text]), NEVER))
    expect(endOf(played)).toMatchObject({ terminationReason: 'idle_timeout', error: { data: { kind: 'stall' } } })
    expect(played.messages.at(-1)).toMatchObject({ stopReason: 'error', content: [{ text: 'so far' }] })
  })

  it('and sends only usage: a stall', () => {
    const { terminationReason } = endOf(playProvider(() => ticking$([{ type: 'usage', usage: noUsage }])))
    expect(terminationReason).toBe('idle_timeout')
  })

  it('and stays open after done: the run does not wait', () => {
    const played = playProvider(() => NEVER.pipe(startWith(start, text, done)))
    expect(endOf(played)).toMatchObject({ terminationReason: 'completed', durationMs: 0 })
  })

  it('and opens more and more blocks: a failure at the limit', () => {
    const blocks$ = range(0, 20_000).pipe(
      concatMap((contentIndex) => [
        { ...start, contentIndex },
        { ...end, contentIndex },
      ]),
    )
    const { error } = endOf(playProvider(() => blocks$))
    expect(error?.message).toBe('The provider sent text_start for block 10000, but an answer has at most 10000 blocks')
  })
})

function throwBroken(): never {
  throw new Error('broken')
}

function throwValue(value: unknown): never {
  throw value
}
