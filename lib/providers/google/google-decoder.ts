// Decodes the chunks of generated content to deltas; a finish reason completes the response.
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ProviderFailureKind } from '../../streams/values/failure.ts'
import type { Model, ModelPrices } from '../../streams/models/model.ts'
import { endMark } from '../adapter/event-decoder.ts'
import type { EventDecoder } from '../adapter/event-decoder.ts'
import { createDeltaEmitter } from '../adapter/delta-emitter.ts'
import { earlyEnd } from '../adapter/delta-emitter.ts'
import { googleParts } from './google-parts.ts'
import type { GoogleParts } from './google-parts.ts'
import { readProviderError, providerFailure } from '../http/provider-failure.ts'
import type { ResponseContext } from '../http/provider-failure.ts'
import { unknownUsage } from '../adapter/usage-cost.ts'
import { isObject, recordOf, textOf, countOf } from '../http/json-field.ts'
import type { Usage } from '../../streams/messages/message.ts'
import { usageCost } from '../adapter/usage-cost.ts'

type Fields = Readonly<Record<string, unknown>>

/** Milliseconds that the body may go on: the last chunk has no mark, and usage may follow it. */
const linger = { withUsage: 250, withoutUsage: 2000 }

interface Reading {
  readonly emit: (delta: AssistantDelta) => void
  readonly context: ResponseContext
  readonly parts: GoogleParts
  responseId: string
  started: boolean
  /** The provider's finish reason; '' before it arrives. */
  finish: string
  explanation: string
  /** The last number of each kind; a later chunk may omit some. */
  usage: unknown
}

/** Fails for a value that is no chunk. A chunk without a candidate contributes only its usage. */
export function googleDecoder(
  { model, context }: { readonly model: Model; readonly context: ResponseContext },
  emit: (delta: AssistantDelta) => void,
): EventDecoder {
  const writer = createDeltaEmitter(emit)
  const parts = googleParts(writer, (count) => `call_${count}${reading.responseId && `_${reading.responseId}`}`)
  const reading: Reading = {
    emit,
    context,
    parts,
    responseId: '',
    started: false,
    finish: '',
    explanation: '',
    usage: undefined,
  }
  return {
    get lingerMs() {
      if (reading.finish === '') return undefined
      return reading.usage === undefined ? linger.withoutUsage : linger.withUsage
    },
    read: (value) => {
      if (value === endMark) return
      // without `alt=sse` the chunks arrive as one list
      const chunks: readonly unknown[] = Array.isArray(value) ? value : [value]
      for (const chunk of chunks) readChunk(chunk, reading)
    },
    end: () => {
      const { finish, explanation, usage } = reading
      if (finish === '') throw earlyEnd(context.provider)
      if (Object.hasOwn(failures, finish)) throw ended(context.provider, finish, explanation)
      parts.end()
      writer.closeAll()
      const stopReason = finish === 'MAX_TOKENS' ? 'length' : parts.calls > 0 ? 'toolUse' : 'stop'
      emit({ type: 'done', stopReason, usage: googleUsage(usage, model.prices) ?? unknownUsage(model) })
    },
    emitUsage: () => {
      const usage = googleUsage(reading.usage, model.prices)
      if (usage !== undefined) emit({ type: 'usage', usage })
    },
  }
}

function readChunk(value: unknown, reading: Reading): void {
  if (!isObject(value) || 'error' in value) throw noChunk(value, reading.context)
  if (isObject(value['usageMetadata'])) reading.usage = { ...recordOf(reading.usage), ...value['usageMetadata'] }
  start(value, reading)
  const blocked = textOf(recordOf(value['promptFeedback'])['blockReason'])
  if (blocked !== '')
    reading.finish ||= Object.hasOwn(failures, blocked) && blocked !== 'OTHER' ? blocked : 'PROHIBITED_CONTENT'
  const candidates: readonly unknown[] = Array.isArray(value['candidates']) ? value['candidates'] : []
  const candidate = recordOf(candidates[0])
  const parts: unknown = recordOf(candidate['content'])['parts']
  if (Array.isArray(parts)) for (const part of parts) reading.parts.read(part)
  reading.finish = textOf(candidate['finishReason']) || reading.finish
  reading.explanation = textOf(candidate['finishMessage']) || reading.explanation
}

function start(chunk: Fields, reading: Reading): void {
  if (reading.started) return
  reading.started = true
  reading.responseId = textOf(chunk['responseId'])
  const model = textOf(chunk['modelVersion'])
  const { responseId } = reading
  reading.emit({ type: 'start', ...(responseId && { responseId }), ...(model && { model }) })
}

const refused = { kind: 'refused', message: 'the answer was stopped by its filters' } as const
const broken = { kind: 'overloaded', message: 'the model made a call that cannot be read' } as const
const failures: Readonly<Record<string, { readonly kind: ProviderFailureKind; readonly message: string }>> = {
  SAFETY: refused,
  RECITATION: refused,
  LANGUAGE: refused,
  BLOCKLIST: refused,
  PROHIBITED_CONTENT: refused,
  SPII: refused,
  IMAGE_SAFETY: refused,
  JAILBREAK: refused,
  MODEL_ARMOR: refused,
  MALFORMED_FUNCTION_CALL: broken,
  UNEXPECTED_TOOL_CALL: broken,
  TOO_MANY_TOOL_CALLS: broken,
  MALFORMED_RESPONSE: broken,
  MISSING_THOUGHT_SIGNATURE: { kind: 'bad_request', message: 'a call was sent back without its signature' },
  OTHER: { kind: 'overloaded', message: 'the answer ended for an unknown reason' },
}

function ended(provider: string, finish: string, explanation: string): Failure {
  const { kind, message } = failures[finish] ?? refused
  const why = explanation === '' ? '' : `: ${explanation}`
  return new Failure('provider_error', `${provider}: ${message} (${finish})${why}`, {
    data: { kind, providerCode: finish },
  })
}

function noChunk(value: unknown, context: ResponseContext): Failure {
  const error = readProviderError(value)
  if (error !== undefined) return providerFailure(error, context)
  return new Failure('provider_error', `${context.provider} sent something that is no part of an answer.`, {
    data: { kind: 'bad_request' },
  })
}

/**
 * Converts the usage. Prompt tokens include the cached ones, rxpi's do not; thinking and tool tokens are separate and
 * are added. Undefined if the value is no usage.
 */
export function googleUsage(reported: unknown, prices: ModelPrices | undefined): Usage | undefined {
  if (!isObject(reported) || typeof reported['promptTokenCount'] !== 'number') return undefined
  const prompt = countOf(reported['promptTokenCount'])
  const cacheRead = Math.min(prompt, countOf(reported['cachedContentTokenCount']))
  const reasoning = countOf(reported['thoughtsTokenCount'])
  const tokens = {
    input: prompt - cacheRead + countOf(reported['toolUsePromptTokenCount']),
    output: countOf(reported['candidatesTokenCount']) + reasoning,
    cacheRead,
    cacheWrite: 0,
  }
  return {
    ...tokens,
    ...(reasoning > 0 ? { reasoning } : {}),
    totalTokens: tokens.input + tokens.cacheRead + tokens.output,
    cost: usageCost(tokens, prices),
  }
}
