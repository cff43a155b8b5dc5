// Tests the decoder with arbitrary events of Bedrock: well-formed deltas, and no error other than a Failure.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bedrockDecoder } from '../../../lib/providers/bedrock/bedrock-decoder.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { checkAssistantDelta } from '../../../lib/streams/validation/validators.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { sampleSize } from '../../support/sample-size.ts'

const about = {
  model: { id: 'm', provider: 'maker', api: 'a', inputs: ['text' as const], reasoning: false },
  context: { provider: 'maker' },
}
const names = 'messageStart contentBlockStart contentBlockDelta contentBlockStop messageStop metadata error ping'
const name = fc.constantFrom(...names.split(' '))
const text = fc.constantFrom('', 'a', '{"x":', '1}', '\ud83d', '\ude00', 'YQ==', 'end_turn', 'refusal')
const junk = fc.oneof(text, fc.constantFrom(null, 1, -1, 0.5, true), fc.constant([]), fc.constant({}))
const optional = { requiredKeys: [] }
const toolUse = fc.record({ toolUseId: fc.oneof(text, junk), name: fc.oneof(text, junk), input: text }, optional)
const reasoningContent = fc.record({ text, signature: text, redactedContent: text }, optional)
const delta = fc.record({ text: fc.oneof(text, junk), toolUse, reasoningContent }, optional)
const event = fc.record(
  {
    contentBlockIndex: fc.constantFrom(0, 1, 2, undefined, 'a'),
    start: fc.oneof(fc.record({ toolUse }, optional), junk),
    delta: fc.oneof(delta, delta, junk),
    stopReason: junk,
    usage: fc.oneof(fc.record({ inputTokens: junk, outputTokens: junk }, optional), junk),
    message: text,
  },
  optional,
)

it('takes events in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.oneof(event, event, event, junk), name), { maxLength: 14 }), (events) => {
      const deltas: AssistantDelta[] = []
      const decoder = bedrockDecoder(about, (each) => deltas.push(each))
      const attempt = (work: () => unknown): void => {
        try {
          work()
        } catch (error) {
          expect(error).toBeInstanceOf(Failure)
        }
      }
      for (const [value, type] of events) attempt(() => decoder.read(value, type))
      attempt(() => decoder.emitUsage())
      attempt(() => decoder.end())
      expectWellFormed(deltas)
    }),
    { numRuns: sampleSize(500, 20_000) },
  )
})

/** Checks that blocks open in order and close once, and that each piece belongs to an open block. */
function expectWellFormed(deltas: readonly AssistantDelta[]): void {
  const open = new Set<number>()
  let next = 0
  for (const each of deltas) {
    expect(checkAssistantDelta(each)).toMatchObject({ ok: true })
    if (!('contentIndex' in each)) continue
    if (each.type.endsWith('_start')) {
      expect(each.contentIndex).toBe(next++)
      open.add(each.contentIndex)
    } else expect(open.has(each.contentIndex)).toBe(true)
    if (each.type.endsWith('_end')) open.delete(each.contentIndex)
  }
}
