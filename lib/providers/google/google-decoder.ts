// Decodes the chunks of generated content to deltas; a finish reason completes the response.
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ProviderFailureKind } from '../../streams/values/failure.ts'
import type { Model, ModelPrices } from '../../streams/models/model.ts'
import { brokenFrame, endMark, judgeForeign } from '../adapter/frame-reader.ts'
import type { EventDecoder } from '../adapter/frame-reader.ts'
import { createDeltaEmitter, earlyEnd } from '../adapter/delta-emitter.ts'
import { googleParts } from './google-parts.ts'
import type { GoogleParts } from './google-parts.ts'
import type { ResponseContext } from '../http/provider-failure.ts'
import { createUsageReporter } from '../adapter/usage-cost.ts'
import { isObject, recordOf, textOf, tokenCount } from '../http/json-field.ts'
import type { Usage } from '../../streams/messages/message.ts'
import { usageCost } from '../../streams/models/price-usage.ts'
import type { UsageFormat } from '../adapter/usage-cost.ts'

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

/** A chunk without a candidate contributes only its usage. */
export function googleDecoder(
  { model, context }: { readonly model: Model; readonly context: ResponseContext },
  emit: (delta: AssistantDelta) => void,
): EventDecoder {
  const writer = createDeltaEmitter(emit)
  const parts = googleParts(writer, (count) => `call_${count}${reading.responseId && `_${reading.responseId}`}`)
  const usage = createUsageReporter(usageFormat, { model, provider: context.provider }, emit)
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
    isComplete: false, // the body's end is the terminal event
    hasEvent: () => false,
    read: (value, name) => {
      if (value === endMark) return true
      // without `alt=sse` the chunks arrive as one list
      const chunks: readonly unknown[] = Array.isArray(value) ? value : [value]
      return chunks.map((chunk) => readChunk(chunk, name, reading)).some((isOwn) => isOwn)
    },
    readUsage: () => undefined,
    end: () => {
      const { finish, explanation } = reading
      if (finish === '') throw earlyEnd(context.provider)
      if (Object.hasOwn(failures, finish)) throw ended(context.provider, finish, explanation)
      parts.end()
      writer.closeAll()
      const stopReason = finish === 'MAX_TOKENS' ? 'length' : parts.calls > 0 ? 'toolUse' : 'stop'
      usage.emitDone(stopReason, reading.usage)
    },
    emitUsage: () => {
      usage.emitUsage(reading.usage)
    },
  }
}

/** Returns false for a value that is not a chunk. @throws Failure */
function readChunk(value: unknown, name: string | undefined, reading: Reading): boolean {
  const { context } = reading
  if (!isObject(value) || 'error' in value || !chunkFields.some((field) => field in value))
    return judgeForeign(value, name, { context, hasEvent: () => false })
  if (isObject(value['usageMetadata'])) reading.usage = { ...recordOf(reading.usage), ...value['usageMetadata'] }
  start(value, reading)
  const blocked = textOf(recordOf(value['promptFeedback'])['blockReason'])
  if (blocked !== '')
    reading.finish ||= Object.hasOwn(failures, blocked) && blocked !== 'OTHER' ? blocked : 'PROHIBITED_CONTENT'
  readCandidate(firstCandidate(value, context), reading)
  return true
}

const chunkFields = ['candidates', 'usageMetadata', 'promptFeedback', 'responseId', 'modelVersion'] as const

/** A request asks for one candidate. @throws Failure for a broken chunk */
function firstCandidate({ candidates }: Fields, context: ResponseContext): Fields {
  if (candidates === undefined || candidates === null) return {}
  if (!Array.isArray(candidates)) throw brokenFrame(context, 'whose candidates are not a list')
  const list: readonly unknown[] = candidates
  const first = list[0] ?? {}
  if (!isObject(first)) throw brokenFrame(context, 'with a candidate that is not an object')
  return first
}

function readCandidate(candidate: Fields, reading: Reading): void {
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

/**
 * Converts the usage. Prompt tokens include the cached ones, rxpi's do not; thinking and tool tokens are separate and
 * are added. Undefined if the value is not a usage.
 */
export function googleUsage(reported: unknown, prices: ModelPrices | undefined): Usage | undefined {
  if (!isObject(reported) || typeof reported['promptTokenCount'] !== 'number') return undefined
  const prompt = tokenCount(reported['promptTokenCount'])
  const cacheRead = Math.min(prompt, tokenCount(reported['cachedContentTokenCount']))
  const reasoning = tokenCount(reported['thoughtsTokenCount'])
  const tokens = {
    input: prompt - cacheRead + tokenCount(reported['toolUsePromptTokenCount']),
    output: tokenCount(reported['candidatesTokenCount']) + reasoning,
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

const usageFormat: UsageFormat = {
  counts: [
    'promptTokenCount',
    'candidatesTokenCount',
    'cachedContentTokenCount',
    'thoughtsTokenCount',
    'toolUsePromptTokenCount',
  ],
  convert: googleUsage,
}
