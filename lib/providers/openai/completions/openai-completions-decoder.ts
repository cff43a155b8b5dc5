// Decodes the chunks of a chat completion to deltas, each chunk at once.
import type { AssistantDelta } from '../../../streams/messages/delta.ts'
import { Failure } from '../../../streams/values/failure.ts'
import type { StopReason, Usage } from '../../../streams/messages/message.ts'
import type { Model, ModelPrices } from '../../../streams/models/model.ts'
import { endMark } from '../../adapter/event-decoder.ts'
import type { EventDecoder } from '../../adapter/event-decoder.ts'
import { createDeltaEmitter } from '../../adapter/delta-emitter.ts'
import { earlyEnd } from '../../adapter/delta-emitter.ts'
import { defaultCompat } from './openai-completions-options.ts'
import { readProviderError, providerFailure } from '../../http/provider-failure.ts'
import type { ResponseContext } from '../../http/provider-failure.ts'
import { createToolCallDecoder } from '../../adapter/tool-call-decoder.ts'
import { unknownUsage } from '../../adapter/usage-cost.ts'
import {
  textOf as text,
  countOf as count,
  isObject as isRecord,
  recordOf as record,
  objectOf,
} from '../../http/json-field.ts'
import { usageCost } from '../../adapter/usage-cost.ts'
import type { DeltaEmitter } from '../../adapter/delta-emitter.ts'
import type { ToolCallPiece, ToolCallDecoder } from '../../adapter/tool-call-decoder.ts'

/** Milliseconds that the body may go on, so that the usage can arrive. */
const linger = { finished: 2000, complete: 25 }

/** The fields that are read; each may be missing or have another type. */
interface Chunk {
  readonly id?: unknown
  readonly model?: unknown
  readonly choices?: unknown
  readonly usage?: unknown
  readonly x_groq?: { readonly usage?: unknown } | null
  readonly error?: unknown
}
interface Choice {
  readonly delta?: CompletionDelta | null
  /** In a response that was not streamed. */
  readonly message?: CompletionDelta | null
  readonly finish_reason?: unknown
  readonly usage?: unknown
}

export interface CompletionsDecoderOptions {
  readonly model: Model
  readonly context: ResponseContext
  /** @default the fields of `defaultCompat` */
  readonly reasoningFields?: readonly string[]
}

export function openAiCompletionsDecoder(
  { model, context, reasoningFields = defaultCompat.reasoningFields }: CompletionsDecoderOptions,
  emit: (delta: AssistantDelta) => void,
): EventDecoder {
  let started = false
  let responseId: string | undefined
  let responseModel: string | undefined
  let finish: string | undefined
  let usage: Usage | undefined
  let isDone = false

  const start = (): void => {
    if (started) return
    started = true
    emit({ type: 'start', ...(responseId ? { responseId } : {}), ...(responseModel ? { model: responseModel } : {}) })
  }
  const writer = createDeltaEmitter((delta) => {
    start()
    emit(delta)
  })
  const calls = createToolCallDecoder(writer, (count) => `call_${count}${responseId ? `_${responseId}` : ''}`)
  const sink = { writer, calls, reasoningFields }

  return {
    get lingerMs() {
      if (isDone || (finish !== undefined && usage !== undefined)) return linger.complete
      return finish === undefined ? undefined : linger.finished
    },
    read: (value) => {
      isDone ||= value === endMark
      if (value === endMark) return
      const chunk = isChunk(value) ? value : {}
      const choice = firstChoice(chunk)
      usage = openAiCompletionsUsage(chunk.usage ?? choice.usage ?? chunk.x_groq?.usage, model.prices) ?? usage
      requireChunk(value, context)
      responseId ??= text(chunk.id) || undefined
      responseModel = text(chunk.model) || responseModel
      readCompletionDelta(choice.delta ?? choice.message ?? {}, sink)
      finish = text(choice.finish_reason) || finish
    },
    end: () => {
      if (finish === undefined && !isDone) throw earlyEnd(context.provider)
      if (finish !== undefined && Object.hasOwn(refusals, finish)) throw refusalFailure(context.provider, finish)
      writer.closeAll()
      start()
      emit({ type: 'done', stopReason: stopReasonOf(finish, calls.count > 0), usage: usage ?? unknownUsage(model) })
    },
    emitUsage: () => {
      if (usage !== undefined) emit({ type: 'usage', usage })
    },
  }
}

const refusals: Readonly<Record<string, { kind: 'refused' | 'overloaded'; message: string }>> = {
  content_filter: { kind: 'refused', message: 'the content filter stopped the answer' },
  error: { kind: 'overloaded', message: 'the answer ended in an unexplained error' },
  insufficient_system_resource: { kind: 'overloaded', message: 'the answer was cut because resources are short' },
}

/** The presence of calls decides, not the provider's word (docs/loop.md#14). */
function stopReasonOf(finish: string | undefined, hasCalls: boolean): StopReason {
  if (finish === 'length' || finish === 'model_length') return 'length'
  return hasCalls ? 'toolUse' : 'stop'
}

/**
 * Throws for an error, and for a value that is no chunk. With choices only `error` counts as an error; without them
 * `message` and `detail` do too.
 */
function requireChunk(value: unknown, context: ResponseContext): void {
  const chunk = isChunk(value) ? value : undefined
  const error = chunk?.choices === undefined ? readProviderError(value) : chunkError(chunk)
  if (error !== undefined) throw providerFailure(error, context)
  if (chunk !== undefined) return
  throw new Failure('provider_error', `${context.provider} sent a value that is no chunk of a chat completion.`, {
    data: { kind: 'bad_request' },
  })
}

function chunkError({ error }: Chunk): ReturnType<typeof readProviderError> {
  return error === undefined || error === null ? undefined : readProviderError({ error })
}

/** Keep-alives and notices of some gateways have an id, an object or a usage, and no choices. */
function isChunk(value: unknown): value is Chunk {
  if (typeof value !== 'object' || value === null) return false
  return 'choices' in value || 'id' in value || 'object' in value || 'usage' in value
}

function firstChoice({ choices }: Chunk): Choice {
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined
  return typeof first === 'object' && first !== null ? first : {}
}

function refusalFailure(provider: string, finish: string): Failure {
  const { kind, message } = refusals[finish] ?? { kind: 'overloaded', message: finish }
  return new Failure('provider_error', `${provider}: ${message}.`, { data: { kind, providerCode: finish } })
}

/**
 * Converts the reported usage. Prompt tokens include the cached ones, rxpi's do not. Completion tokens usually include
 * reasoning; they are added if the total shows that they do not. Undefined if the value is no usage.
 */
export function openAiCompletionsUsage(reported: unknown, prices: ModelPrices | undefined): Usage | undefined {
  if (!isRecord(reported) || typeof reported['prompt_tokens'] !== 'number') return undefined
  const prompt = count(reported['prompt_tokens'])
  const completion = count(reported['completion_tokens'])
  const promptDetails = record(reported['prompt_tokens_details'])
  const reasoning = count(record(reported['completion_tokens_details'])['reasoning_tokens'])
  const chunkError = count(reported['total_tokens'])
  const isBeside = reasoning > 0 && chunkError === prompt + completion + reasoning
  const cacheRead = Math.min(prompt, cachedTokens(reported, promptDetails))
  const cacheWrite = Math.min(prompt - cacheRead, count(promptDetails['cache_write_tokens']))
  const tokens = {
    input: prompt - cacheRead - cacheWrite,
    output: isBeside ? completion + reasoning : completion,
    cacheRead,
    cacheWrite,
  }
  return {
    ...tokens,
    ...(reasoning > 0 ? { reasoning } : {}),
    totalTokens: prompt + tokens.output,
    cost: usageCost(tokens, prices),
  }
}

/** The fields of OpenAI and most others, of DeepSeek, and of Moonshot. */
function cachedTokens(
  reported: Readonly<Record<string, unknown>>,
  promptDetails: Readonly<Record<string, unknown>>,
): number {
  return (
    count(promptDetails['cached_tokens']) ||
    count(reported['prompt_cache_hit_tokens']) ||
    count(reported['cached_tokens'])
  )
}

/**
 * A choice's `delta`, or the `message` of a response that was not streamed. Fields may be missing or have another type.
 */
interface CompletionDelta {
  readonly content?: unknown
  readonly refusal?: unknown
  readonly tool_calls?: unknown
  /** Endpoints use different fields for thinking. */
  readonly [field: string]: unknown
}

interface CompletionSink {
  readonly writer: DeltaEmitter
  readonly calls: ToolCallDecoder
  /** The fields that may hold thinking; the first one with text counts. */
  readonly reasoningFields: readonly string[]
}

interface ContentPart {
  readonly text?: unknown
  readonly thinking?: unknown
}

/** Emits one delta. The signature of thinking is the name of its field. */
function readCompletionDelta(delta: CompletionDelta, { writer, calls, reasoningFields }: CompletionSink): void {
  const { content, tool_calls: toolCalls } = delta
  for (const field of reasoningFields) {
    const thought = text(delta[field])
    if (thought === '') continue
    writer.thinking(thought, field)
    break
  }
  if (Array.isArray(content)) for (const part of content as unknown[]) readPart(part, writer)
  else writer.text(text(content))
  writer.text(text(delta.refusal))
  if (Array.isArray(toolCalls)) for (const piece of toolCalls as unknown[]) calls.read(objectOf<ToolCallPiece>(piece))
}

/** Mistral sends a list of parts; thinking is a part with a list of its own. */
function readPart(part: unknown, writer: DeltaEmitter): void {
  const { text: partText, thinking } = objectOf<ContentPart>(part)
  if (!Array.isArray(thinking)) writer.text(text(partText))
  else for (const inner of thinking as unknown[]) writer.thinking(text(objectOf<ContentPart>(inner).text))
}
