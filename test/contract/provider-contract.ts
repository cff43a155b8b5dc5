// The contract of every provider: each adapter's harness runs the same scenarios.
// Over 250 lines: one contract, which every provider is held to as a whole.
// Over 250 lines: one contract, which every provider is held to as a whole.
import { performance } from 'node:perf_hooks'
import {
  ReplaySubject,
  Subject,
  firstValueFrom,
  lastValueFrom,
  materialize,
  takeUntil,
  tap,
  timeout,
  toArray,
} from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { AssistantDelta } from '../../lib/streams/messages/delta.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import type { AssistantMessage } from '../../lib/streams/messages/message.ts'
import type { Model } from '../../lib/streams/models/model.ts'
import type { Provider } from '../../lib/streams/ports/provider.ts'
import { foldDeltas } from '../providers/offline/fold-deltas.ts'

/** One part of an answer; a call's arguments are the pieces of its text. */
export type AnswerPart =
  | { readonly thinking: string }
  | { readonly text: string }
  | { readonly call: string; readonly name: string; readonly pieces: readonly string[] }
  /** Noise without a meaning: an event of an unknown type, an unknown field. */
  | { readonly noise: 'unknown' | 'keepAlive' }

export interface Scenario {
  readonly parts: readonly AnswerPart[]
  /**
   * `done`: a normal end; `early`: the body ends without its terminal event; `cut`: the socket breaks; `garbage`: a
   * frame that cannot be parsed; `stall`: no more data; `silent`: no data at all; `notAStream`: 200 with a web page;
   * `lingers`: the terminal event, and the body stays open.
   */
  readonly ending: 'done' | 'early' | 'cut' | 'garbage' | 'stall' | 'silent' | 'notAStream' | 'lingers'
  /** Cuts the wire into pieces of this many bytes. */
  readonly bytesPerChunk?: number
}

/** A provider that answers its one request with the scenario. */
export interface Subjected extends AsyncDisposable {
  readonly provider: Provider
  readonly model: Model
  /** Resolves with the time (`performance.now()`) at which the other side sees that the request was abandoned. */
  readonly abandoned: Promise<number>
}

export interface ProviderHarness {
  readonly name: string
  /** Endings that do not exist on this provider's wire. */
  readonly without?: readonly Scenario['ending'][]
  /** Its wire has no arguments that could be invalid JSON. */
  readonly withoutBrokenArguments?: true
  /** Another form of an API whose speed is measured already. */
  readonly isDialect?: true
  /** It answers from stored data, not from pieces that come one by one. */
  readonly withoutPieces?: true
  open(scenario: Scenario): Promise<Subjected>
}

/** Generous, so that a busy machine does not fail it; the test uses the best of three. */
const abandonedWithinMs = 100

/** Omits endings that a wire does not have, instead of skipping them. */
function itIf(condition: boolean): (name: string, test: () => Promise<void>) => void {
  return (name, test) => {
    if (condition) it(name, test)
  }
}

/** The same for a group of tests. */
function describeIf(condition: boolean): (name: string, tests: () => void) => void {
  return (name, tests) => {
    if (condition) describe(name, tests)
  }
}

export function providerContract(harness: ProviderHarness): void {
  const can = (ending: Scenario['ending']): boolean => harness.without?.includes(ending) !== true

  async function answer(parts: readonly AnswerPart[], more: Partial<Scenario> = {}): Promise<Outcome> {
    await using subject = await harness.open({ parts, ending: 'done', ...more })
    return await outcomeOf(subject)
  }

  describe(`${harness.name} keeps the contract of a provider`, () => {
    it('emits text, thinking and calls, and ends with done [PORT-deltas]', async () => {
      const { deltas, message, failure } = await answer([
        { thinking: 'Let me ' },
        { thinking: 'see.' },
        { text: 'Here ' },
        { text: 'it is.' },
        { call: 'call_1', name: 'read', pieces: ['{"path"', ':"a"}'] },
      ])
      expect(failure).toBeUndefined()
      expect(deltas.at(-1)).toMatchObject({ type: 'done', stopReason: 'toolUse' })
      expect(contentOf(message)).toEqual([
        { thinking: 'Let me see.' },
        { text: 'Here it is.' },
        { name: 'read', arguments: { path: 'a' } },
      ])
    })

    itIf(harness.withoutPieces !== true)('gives the pieces as they come, not joined', async () => {
      const { deltas } = await answer([{ text: 'one ' }, { text: 'two ' }, { text: 'three' }])
      expect(deltas.flatMap((delta) => (delta.type === 'text_delta' ? [delta.text] : []))).toEqual([
        'one ',
        'two ',
        'three',
      ])
    })

    it('accepts an empty answer', async () => {
      const { message, failure } = await answer([])
      expect({ failure, parts: contentOf(message), stopReason: message.stopReason }).toEqual({
        failure: undefined,
        parts: [],
        stopReason: 'stop',
      })
    })

    it('accepts an answer that has only thinking', async () => {
      const { message, failure } = await answer([{ thinking: 'Hm.' }])
      expect({ failure, parts: contentOf(message) }).toEqual({ failure: undefined, parts: [{ thinking: 'Hm.' }] })
    })

    it('ignores unknown events and keep-alives', async () => {
      const noise = [{ noise: 'unknown' }, { noise: 'keepAlive' }] as const
      const { message } = await answer([...noise, { text: 'a' }, ...noise, { text: 'b' }, ...noise])
      expect(contentOf(message)).toEqual([{ text: 'ab' }])
    })

    it.each([1, 2, 3, 7])(
      'emits the same deltas for any split of the bytes (%i bytes a chunk) [PORT-deltas]',
      async (bytesPerChunk) => {
        const { message } = await answer([{ text: 'Grüße 👋🏽, ' }, { text: '世界 — ok' }, call(1, '{"e":"é😀"}')], {
          bytesPerChunk,
        })
        expect(contentOf(message)).toEqual([
          { text: 'Grüße 👋🏽, 世界 — ok' },
          { name: 'tool_1', arguments: { e: 'é😀' } },
        ])
      },
    )

    it('separates 50 parallel calls and keeps their order [PORT-deltas]', async () => {
      const calls = Array.from({ length: 50 }, (_, index) => call(index, `{"n":${index}}`))
      const { message } = await answer(calls)
      expect(contentOf(message)).toEqual(calls.map(({ name }, index) => ({ name, arguments: { n: index } })))
    })

    itIf(harness.withoutBrokenArguments !== true)('keeps the text of arguments that are no JSON', async () => {
      const { message, failure } = await answer([call(1, '{"path": ')])
      expect(failure).toBeUndefined()
      expect(message.content[0]).toMatchObject({ arguments: {}, argumentsText: '{"path": ' })
    })

    itIf(harness.withoutPieces !== true && harness.isDialect !== true)(
      'takes an argument of 5 MB in time that grows with its length only',
      async () => {
        const timed = async (megabytes: number): Promise<number> => {
          const pieces = ['{"text":"', ...Array.from({ length: megabytes * 64 }, () => 'x'.repeat(16_384)), '"}']
          await using subject = await harness.open({
            parts: [{ call: 'call_1', name: 'write', pieces }],
            ending: 'done',
          })
          const before = performance.now()
          const { message } = await outcomeOf(subject)
          expect(JSON.stringify(contentOf(message)).length).toBeGreaterThan(megabytes * 1_048_576)
          return performance.now() - before
        }
        const limit = Math.max(Math.min(await timed(1), await timed(1)), 20) * 5 * 4 // quadratic time takes 25 times as long
        let least = Infinity
        // three attempts: on a busy machine one can wait for its turn
        for (let attempt = 0; attempt < 3 && least >= limit; attempt += 1) least = Math.min(least, await timed(5))
        expect(least).toBeLessThan(limit)
      },
    )

    const canFail = can('early') || can('cut') || can('garbage') || can('notAStream')
    describeIf(canFail)('fails if the answer is incomplete', () => {
      itIf(can('early'))('ends early', async () => {
        const { failure, ended, message } = await answer([{ text: 'so far' }], { ending: 'early' })
        expect(contentOf(message)).toEqual([{ text: 'so far' }])
        // completing without done counts as early_end
        if (ended === 'complete') expect(message.stopReason).toBe('aborted')
        else expect(failure?.data.kind).toBe('early_end')
      })

      itIf(can('cut'))('the connection is cut', async () => {
        const { failure, message } = await answer([{ text: 'so far' }], { ending: 'cut' })
        expect({ kind: failure?.data.kind, parts: contentOf(message) }).toEqual({
          kind: 'network',
          parts: [{ text: 'so far' }],
        })
      })

      itIf(can('garbage'))('a frame cannot be parsed', async () => {
        const { failure } = await answer([{ text: 'so far' }], { ending: 'garbage' })
        expect(failure).toMatchObject({ code: 'provider_error', data: { kind: 'network' } })
      })

      itIf(can('notAStream'))('what answers is no stream of events', async () => {
        const { failure } = await answer([], { ending: 'notAStream' })
        expect(failure).toMatchObject({ code: 'provider_error', data: { kind: 'bad_request' } })
        expect(failure?.message).toContain('text/html')
      })
    })

    itIf(can('lingers'))('ends with the last word, not with the body', async () => {
      await using subject = await harness.open({ parts: [{ text: 'all' }], ending: 'lingers' })
      const { message, failure } = await outcomeOf(subject)
      expect({ failure, parts: contentOf(message) }).toEqual({ failure: undefined, parts: [{ text: 'all' }] })
      await subject.abandoned
    })

    describeIf(can('silent') || can('stall'))('unsubscribing closes the request', () => {
      const moments = [
        ['before the first byte', { parts: [], ending: 'silent' }, undefined],
        ['in mid-text', { parts: [{ text: 'so far' }], ending: 'stall' }, 'text_delta'],
        ['in mid-arguments', { parts: [{ call: 'c', name: 'n', pieces: ['{"a'] }], ending: 'stall' }, 'toolcall_delta'],
      ] as const
      it.each(moments.filter(([, { ending }]) => can(ending)))('%s', async (_, scenario, until) => {
        let best = Infinity
        for (let attempt = 0; attempt < 3 && best > abandonedWithinMs; attempt++) {
          best = Math.min(best, await timeToAbandon(harness, scenario, until))
        }
        expect(best).toBeLessThanOrEqual(abandonedWithinMs)
      })
    })

    it('makes no request before a subscription, and one for each subscription [PORT-cold]', async () => {
      await using subject = await harness.open({ parts: [{ text: 'again' }], ending: 'done' })
      const answer$ = subject.provider(request(subject.model))
      for (let round = 1; round <= 2; round++) {
        const deltas = await lastValueFrom(answer$.pipe(toArray()), { defaultValue: [] })
        expect(contentOf(foldDeltas(deltas))).toEqual([{ text: 'again' }])
      }
    })
  })
}

interface Outcome {
  readonly deltas: readonly AssistantDelta[]
  readonly message: AssistantMessage
  readonly ended: 'complete' | 'error'
  readonly failure: Failure | undefined
}

async function outcomeOf({ provider, model }: Subjected): Promise<Outcome> {
  const notifications = await lastValueFrom(
    provider(request(model)).pipe(timeout({ first: 15_000, each: 15_000 }), materialize(), toArray()),
    { defaultValue: [] },
  )
  const deltas = notifications.flatMap((notification) => (notification.kind === 'N' ? [notification.value] : []))
  expectWellFormed(deltas)
  const last = notifications.at(-1)
  const error: unknown = last?.kind === 'E' ? last.error : undefined
  if (error !== undefined) expect(error).toBeInstanceOf(Failure)
  return {
    deltas,
    message: foldDeltas(deltas),
    ended: last?.kind === 'E' ? 'error' : 'complete',
    failure: error instanceof Failure ? error : undefined,
  }
}

/** Milliseconds from the unsubscription to the moment at which the other side notices it. */
async function timeToAbandon(
  harness: ProviderHarness,
  scenario: Scenario,
  until: AssistantDelta['type'] | undefined,
): Promise<number> {
  await using subject = await harness.open(scenario)
  const received$ = new ReplaySubject<undefined>(1)
  const stop$ = new Subject<void>()
  const ended = lastValueFrom(
    subject.provider(request(subject.model)).pipe(
      tap(({ type }) => {
        if (type === until) received$.next(undefined)
      }),
      takeUntil(stop$),
    ),
    { defaultValue: undefined },
  )
  const arrived = until === undefined ? wait(150) : firstValueFrom(received$, { defaultValue: undefined })
  await Promise.race([arrived, ended])
  const before = performance.now()
  stop$.next()
  await ended
  return (await subject.abandoned) - before
}

/** Without data there is no event to wait for: long enough to send the request. */
function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Blocks are opened in order, closed once, and every delta belongs to an open block; `start` is first, `done` last. */
function expectWellFormed(deltas: readonly AssistantDelta[]): void {
  const open = new Map<number, string>()
  let next = 0
  for (const [index, delta] of deltas.entries()) {
    if (delta.type === 'start') expect(index).toBe(0)
    if (delta.type === 'done') expect({ open: [...open], last: index }).toEqual({ open: [], last: deltas.length - 1 })
    if (!('contentIndex' in delta)) continue
    const [kind = '', part] = delta.type.split('_')
    if (part === 'start') {
      expect(delta.contentIndex).toBe(next++)
      open.set(delta.contentIndex, kind)
    } else expect(open.get(delta.contentIndex)).toBe(kind)
    if (part === 'end') open.delete(delta.contentIndex)
    if ('text' in delta) expect(delta.text.length > 0 && delta.text.isWellFormed()).toBe(true)
  }
}

function request(model: Model) {
  const messages = [{ role: 'user', content: 'Hello', timestamp: 0 } as const]
  return { model, system: 'Be brief.', messages, tools: [], thinkingLevel: 'off' } as const
}

function call(index: number, argumentsText: string): AnswerPart & { name: string } {
  return { call: `call_${index}`, name: `tool_${index}`, pieces: [argumentsText] }
}

/** The message without the parts that differ between wires: ids and signatures. */
function contentOf({ content }: AssistantMessage): readonly object[] {
  return content.map((block) => {
    if (block.type === 'text') return { text: block.text }
    if (block.type === 'thinking') return { thinking: block.thinking }
    return { name: block.name, arguments: block.arguments }
  })
}
