// Tests decoders with arbitrary input: well-formed deltas, and no error other than a Failure.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anthropicMessagesDecoder } from '../../../lib/providers/anthropic/anthropic-messages-decoder.ts'
import type { MakeDecoder } from '../../../lib/providers/adapter/sdk-response.ts'
import { googleDecoder } from '../../../lib/providers/google/google-decoder.ts'
import { openAiCompletionsDecoder } from '../../../lib/providers/openai/completions/openai-completions-decoder.ts'
import { openAiResponsesDecoder } from '../../../lib/providers/openai/responses/openai-responses-decoder.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { checkAssistantDelta } from '../../../lib/streams/validation/validators.ts'
import { sampleSize } from '../../support/sample-size.ts'

const about = {
  model: { id: 'm', provider: 'maker', api: 'a', inputs: ['text' as const], reasoning: false },
  context: { provider: 'maker' },
}

/** Words of the APIs, used in valid and in wrong places. */
const words = [
  'message_start', 'message_delta', 'message_stop', 'content_block_start', 'content_block_delta', 'content_block_stop',
  'text', 'thinking', 'redacted_thinking', 'tool_use', 'text_delta', 'thinking_delta', 'signature_delta', 'input_json_delta',
  'response.created', 'response.completed', 'response.incomplete', 'response.failed', 'response.output_item.added',
  'response.output_item.done', 'response.output_text.delta', 'response.function_call_arguments.delta', 'message', 'reasoning',
  'function_call', 'custom_tool_call', 'response.reasoning_summary_text.delta', 'error', 'STOP', 'SAFETY', 'MAX_TOKENS', 'stop',
  'tool_calls', '$.a', '$.b[0].c', '$', '', '\ud83d', '\ude00', '{"a":', '}', '__proto__', 'constructor',
] // prettier-ignore
const names = [
  'type', 'index', 'message', 'delta', 'content_block', 'usage', 'stop_reason', 'id', 'name', 'input', 'text', 'thinking', 'signature',
  'data', 'partial_json', 'content', 'response', 'item', 'output_index', 'output', 'status', 'error', 'arguments', 'call_id', 'summary',
  'encrypted_content', 'phase', 'incomplete_details', 'reason', 'candidates', 'parts', 'functionCall', 'args', 'partialArgs', 'jsonPath',
  'stringValue', 'willContinue', 'thought', 'thoughtSignature', 'finishReason', 'usageMetadata', 'promptTokenCount', 'promptFeedback',
  'blockReason', 'choices', 'tool_calls', 'function', 'finish_reason', 'reasoning_content', 'refusal', 'input_tokens', 'output_tokens',
  'prompt_tokens', 'object', 'details', '__proto__',
] // prettier-ignore

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(...words, null, true, 0, 1, -1, 1e300, 0.5),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
  ),
}))

const optional = { requiredKeys: [] }
const type = fc.constantFrom(...words)
const kind = fc.constantFrom(
  'text',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'message',
  'reasoning',
  'function_call',
  'custom_tool_call',
  'other',
)
const name = fc.constantFrom(...words.filter((word) => /^(message_|content_block_|response\.)/.test(word)))
const output = fc.constantFrom('', 'a', '{"x":', '1}', '\ud83d', '\ude00')
const index = fc.constantFrom(0, 1, 2, undefined)
const call = fc.record(
  {
    id: output,
    name: output,
    args: value,
    partialArgs: fc.array(fc.record({ jsonPath: type, stringValue: output })),
    willContinue: fc.boolean(),
  },
  optional,
)
const part = fc.record({ text: output, thought: fc.boolean(), thoughtSignature: output, functionCall: call }, optional)
const block = fc.record(
  {
    type: kind,
    id: output,
    call_id: output,
    name: output,
    text: output,
    thinking: output,
    data: output,
    input: value,
    arguments: output,
    encrypted_content: output,
    content: fc.array(fc.record({ type, text: output }, optional)),
  },
  optional,
)
const piece = fc.record(
  {
    type,
    text: output,
    thinking: output,
    signature: output,
    partial_json: output,
    stop_reason: type,
    content: output,
    reasoning: output,
    tool_calls: fc.array(
      fc.record({ index, id: output, function: fc.record({ name: output, arguments: output }) }, optional),
    ),
  },
  optional,
)
/** Almost valid events, which pass the first checks. */
const event = fc.record(
  {
    type: name,
    index,
    output_index: index,
    item: block,
    content_block: block,
    delta: fc.oneof(output, piece),
    message: fc.record({ id: output, usage: value }),
    choices: fc.array(fc.record({ delta: piece, finish_reason: type }, optional), { maxLength: 1 }),
    candidates: fc.array(
      fc.record({ content: fc.record({ parts: fc.array(part, { maxLength: 3 }) }), finishReason: type }, optional),
      { maxLength: 1 },
    ),
  },
  optional,
)

const readers: readonly (readonly [string, MakeDecoder])[] = [
  ['openai-completions', (emit) => openAiCompletionsDecoder(about, emit)],
  ['openai-responses', (emit) => openAiResponsesDecoder(about, emit)],
  ['anthropic-messages', (emit) => anthropicMessagesDecoder(about, emit)],
  ['google-generative-ai', (emit) => googleDecoder(about, emit)],
]

it.each(readers)('%s', (_, makeDecoder) => {
  fc.assert(
    fc.property(fc.array(fc.oneof(event, event, event, value), { maxLength: 12 }), (events) => {
      const deltas: AssistantDelta[] = []
      const reader = makeDecoder((delta) => deltas.push(delta))
      const attempt = (work: () => void): void => {
        try {
          work()
        } catch (error) {
          expect(error).toBeInstanceOf(Failure)
        }
      }
      for (const event of events) attempt(() => { reader.read(event) }) // prettier-ignore
      attempt(() => { reader.emitUsage() }) // prettier-ignore
      attempt(() => { reader.end() }) // prettier-ignore
      expectWellFormed(deltas)
    }),
    { numRuns: sampleSize(600, 20_000) },
  )
})

it('openai-completions skips a choice whose index cannot become a number', () => {
  const deltas: AssistantDelta[] = []
  const reader = openAiCompletionsDecoder(about, (delta) => deltas.push(delta))
  reader.read({ choices: [{ index: { toString: 1, valueOf: 1 }, delta: { content: 'other' } }] })
  reader.read({ choices: [{ index: 0, delta: { content: 'own' } }] })
  expect(deltas.flatMap((delta) => (delta.type === 'text_delta' ? [delta.text] : []))).toEqual(['own'])
})

/** Checks that blocks open in order and close once, and that each piece belongs to an open block. */
function expectWellFormed(deltas: readonly AssistantDelta[]): void {
  const open = new Set<number>()
  let next = 0
  for (const delta of deltas) {
    expect(checkAssistantDelta(delta)).toMatchObject({ ok: true })
    if (!('contentIndex' in delta)) continue
    if (delta.type.endsWith('_start')) {
      expect(delta.contentIndex).toBe(next++)
      open.add(delta.contentIndex)
    } else expect(open.has(delta.contentIndex)).toBe(true)
    if (delta.type.endsWith('_end')) open.delete(delta.contentIndex)
  }
}
