// Tests by properties that a compacted context is well formed for each API, fits, and loses nothing unsummarised.
// Over 250 lines: one property with its generators.
import fc from 'fast-check'
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { anthropicMessagesRequest } from '../../../lib/providers/anthropic/anthropic-messages-request.ts'
import { defaultMessagesCompat } from '../../../lib/providers/anthropic/anthropic-messages-options.ts'
import { defaultGoogleCompat } from '../../../lib/providers/google/google-options.ts'
import { googleRequest } from '../../../lib/providers/google/google-request.ts'
import { defaultCompat } from '../../../lib/providers/openai/completions/openai-completions-options.ts'
import { openAiCompletionsRequest } from '../../../lib/providers/openai/completions/openai-completions-request.ts'
import { defaultResponsesCompat } from '../../../lib/providers/openai/responses/openai-responses-options.ts'
import { openAiResponsesRequest } from '../../../lib/providers/openai/responses/openai-responses-request.ts'
import { contextMessage } from '../../../lib/streams/messages/context-message.ts'
import { messageText } from '../../../lib/streams/messages/message-text.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { AssistantContent, UserContent } from '../../../lib/streams/messages/message.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { contextCharacters } from '../../../lib/streams/ports/token-estimate.ts'
import { contextMessages } from '../../../lib/streams/state/context-messages.ts'
import { aResult, aUser, anAnswer } from '../../providers/adapter/messages.ts'
import { requestRules } from '../../providers/adapter/request-rules.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { compactingSession } from './compacting-session.ts'

const bodies: Readonly<Record<string, (request: ProviderRequest) => unknown>> = {
  'openai-completions': (request) => openAiCompletionsRequest(request, defaultCompat),
  'openai-responses': (request) => openAiResponsesRequest(request, defaultResponsesCompat),
  'anthropic-messages': (request) => anthropicMessagesRequest(request, defaultMessagesCompat),
  'google-generative-ai': (request) => googleRequest(request, { ...defaultGoogleCompat, signedCalls: true }),
}

/** Every fault of the requests to the four APIs. */
function faultsOf(request: Omit<ProviderRequest, 'model' | 'thinkingLevel'>): string[] {
  return Object.entries(bodies).flatMap(([api, bodyOf]) => {
    const model: Model = { id: 'm', provider: 'maker', api, inputs: ['text', 'image'], reasoning: true }
    const body: unknown = JSON.parse(JSON.stringify(bodyOf({ ...request, model, thinkingLevel: 'off' })))
    const broken = requestRules[api]?.(body as Readonly<Record<string, unknown>>) ?? ['no rules']
    return broken.map((reason) => `${api}: ${reason}`)
  })
}

const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const

interface Step {
  /** Characters of each call's arguments and result; -1: the call was interrupted, and has no result. */
  readonly calls: readonly { readonly sent: number; readonly received: number; readonly hasImage: boolean }[]
  readonly isThinking: boolean
  /** Ids are those of other steps too: providers repeat them. */
  readonly repeatsIds: boolean
  readonly noteLength: number
}

interface Turn {
  readonly length: number
  readonly images: number
  readonly isPinned: boolean
  readonly steps: readonly Step[]
  /** 0: the turn was aborted. */
  readonly answer: number
  readonly isAnswerPinned: boolean
}

const length = (most: number) =>
  fc.oneof({ weight: 5, arbitrary: fc.nat(400) }, { weight: 3, arbitrary: fc.nat(8_000) }, fc.nat(most))
const step: fc.Arbitrary<Step> = fc.record({
  calls: fc.array(
    fc.record({
      sent: length(20_000),
      received: fc.oneof({ weight: 9, arbitrary: length(60_000) }, fc.constant(-1)),
      hasImage: fc.integer({ min: 0, max: 9 }).map((value) => value === 0),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  isThinking: fc.boolean(),
  repeatsIds: fc.boolean(),
  noteLength: fc.oneof(fc.constant(0), fc.constant(0), fc.nat(2_000)),
})
const rarely = fc.integer({ min: 0, max: 7 }).map((value) => value === 0)
const turn: fc.Arbitrary<Turn> = fc.record({
  length: length(10_000),
  images: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.nat(2)),
  isPinned: rarely,
  steps: fc.array(step, { maxLength: 8 }),
  answer: length(10_000),
  isAnswerPinned: rarely,
})
const scene = fc.record({
  window: fc.oneof(fc.integer({ min: 4_000, max: 32_000 }), fc.integer({ min: 32_000, max: 200_000 })),
  system: fc.nat(8_000),
  /** Tokens of the provider for a character; 0: it reports no usage. */
  rate: fc.oneof(fc.constant(0), fc.double({ min: 0.1, max: 0.25, noNaN: true })),
  summary: fc.oneof(fc.constant(5), fc.nat(100_000)),
  turns: fc.array(turn, { minLength: 1, maxLength: 14 }),
})

/** Plays the conversation; before each answer the session compacts as a run does, and `check` sees the request. */
function play({
  window,
  system,
  rate,
  summary,
  turns,
}: typeof scene extends fc.Arbitrary<infer Value> ? Value : never) {
  const summarised: string[] = []
  const session = compactingSession({
    window,
    system: 's'.repeat(system),
    summariser: ({ messages }) => {
      summarised.push(...messages.map(messageText))
      return of({ characters: 1 }, { text: `S ${'s'.repeat(summary)}` })
    },
  })
  const inputs: { readonly entryId: string; readonly mark: string }[] = []
  const pins: string[] = []
  const results = new Map<string, string[]>()
  const checks = { requests: 0, fitting: 0, compactions: 0 }
  let count = 0
  const request = (): void => {
    const events = session.compactFirst()
    const tokens = session.counted().total
    if (tokens > window) events.push(...session.makeRoom(tokens))
    checks.requests += 1
    if (fits({ session, inputs, pins, results, summarised, window, rate, system })) checks.fitting += 1
    if (events.length === 0) return
    checks.compactions += events.filter(({ type }) => type === 'compaction').length
    check({ session, inputs, pins, results, summarised, window, rate, system })
  }
  const answer = (content: readonly AssistantContent[]): string => {
    const characters = contextCharacters({ system: '', tools: session.tools, messages: session.messages() }) + system
    const input = Math.ceil(characters * rate)
    const output = Math.ceil(contextCharacters({ system: '', tools: [], messages: [anAnswer(...content)] }) * rate)
    const usage = rate === 0 ? noUsage : { ...noUsage, input, output }
    return session.append(anAnswer(...content, { usage }))
  }
  for (const { length, images, isPinned, steps, answer: answered, isAnswerPinned } of turns) {
    const mark = `<input ${inputs.length}>`
    const parts: UserContent[] = [
      { type: 'text', text: `${mark} ${'u'.repeat(length)}` },
      ...Array<UserContent>(images).fill(image),
    ]
    const entryId = session.append(aUser(images === 0 ? `${mark} ${'u'.repeat(length)}` : parts))
    inputs.push({ entryId, mark })
    if (isPinned) {
      session.pin(entryId)
      pins.push(entryId)
    }
    for (const { calls, isThinking, repeatsIds, noteLength } of steps) {
      request()
      count += 1
      const ids = calls.map((_, index) => (repeatsIds ? `call_${index}` : `call_${count}_${index}`))
      const answerId = answer([
        ...(isThinking ? [{ type: 'thinking' as const, thinking: 'Thought.', thinkingSignature: 'sealed' }] : []),
        ...calls.map(({ sent }, index) => ({
          type: 'toolCall' as const,
          id: ids[index] ?? '',
          name: 'read',
          arguments: { path: 'p'.repeat(sent) },
        })),
      ])
      for (const [index, { received, hasImage }] of calls.entries())
        if (received >= 0) {
          const content = [{ type: 'text' as const, text: 'r'.repeat(received) }, ...(hasImage ? [image] : [])]
          const resultId = session.append(aResult(ids[index] ?? '', content))
          results.set(answerId, [...(results.get(answerId) ?? []), resultId])
        }
      if (noteLength > 0)
        session.append(
          contextMessage({
            kind: 'instructions',
            path: '/a',
            digest: 'd',
            content: 'n'.repeat(noteLength),
            timestamp: 1,
          }),
        )
    }
    request()
    if (answered === 0) continue
    const answerId = answer([{ type: 'text', text: 'a'.repeat(answered) }])
    if (isAnswerPinned) {
      session.pin(answerId)
      pins.push(answerId)
    }
  }
  return checks
}

interface Checked {
  readonly session: ReturnType<typeof compactingSession>
  readonly inputs: readonly { readonly entryId: string; readonly mark: string }[]
  readonly pins: readonly string[]
  /** Results by the answer that called. */
  readonly results: ReadonlyMap<string, readonly string[]>
  readonly summarised: readonly string[]
  readonly window: number
  readonly rate: number
  readonly system: number
}

function check({ session, inputs, pins, results, summarised }: Checked): void {
  const entries = session.entries()
  const messages = session.messages()
  const present = new Set(entries.map(({ entryId }) => entryId))
  // what a run sends is what the log gives
  expect(session.conversation.messages.map(messageText)).toEqual(contextMessages(session.state).map(messageText))
  expect(faultsOf({ system: 'Be brief.', messages, tools: session.tools })).toEqual([])
  // no cut lies between a call and its result
  const whole = new Set(entries.flatMap(({ entryId, kind }) => (kind === 'entry' ? [entryId] : [])))
  for (const [answerId, ids] of results)
    expect(ids.filter((entryId) => whole.has(entryId) !== whole.has(answerId))).toEqual([])
  expect(present.has(inputs.at(-1)?.entryId ?? '')).toBe(true)
  expect(pins.filter((entryId) => !present.has(entryId))).toEqual([])
  const all = summarised.join('\n')
  expect(inputs.filter(({ entryId, mark }) => !present.has(entryId) && !all.includes(mark))).toEqual([])
}

/** True if what must stay leaves room: then the context must fit, by the estimate and by what the provider counts. */
function fits({ session, inputs, pins, window, rate, system }: Checked): boolean {
  const entries = session.entries()
  const messages = session.messages()
  const { total, base, tokensOf } = session.counted()
  const staying = entries.filter(({ entryId }) => pins.includes(entryId) || entryId === inputs.at(-1)?.entryId)
  const least = staying.reduce((sum, { message }) => sum + tokensOf(message), base) + window / 8
  if (least > window * 0.95) return false // what must stay does not fit: the provider's failure is the answer
  expect(total).toBeLessThanOrEqual(window)
  const characters = contextCharacters({ system: 's'.repeat(system), tools: session.tools, messages })
  expect(characters * (rate === 0 ? 0.25 : rate)).toBeLessThanOrEqual(window + 10) // rounding
  return true
}

describe('a compacted context', () => {
  it(
    'is well formed for each API, fits, and keeps the last input and the pins; every input is there or summarised',
    () => {
      const all = { requests: 0, fitting: 0, compactions: 0 }
      const runs = sampleSize(50, 2_000)
      fc.assert(
        fc.property(scene, (value) => {
          const checks = play(value)
          all.requests += checks.requests
          all.fitting += checks.fitting
          all.compactions += checks.compactions
        }),
        { numRuns: runs },
      )
      // the property is not empty
      expect(all.compactions).toBeGreaterThan(runs)
      expect(all.fitting / all.requests).toBeGreaterThan(0.75)
    },
    sampleSize(60_000, 900_000),
  )
})
