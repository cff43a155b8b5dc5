// Decodes the events of the Responses API to deltas; a terminal event completes the response.
import type { AssistantDelta } from '../../../streams/messages/delta.ts'
import { Failure } from '../../../streams/values/failure.ts'
import type { StopReason, Usage } from '../../../streams/messages/message.ts'
import type { Model, ModelPrices } from '../../../streams/models/model.ts'
import { endMark } from '../../adapter/event-decoder.ts'
import type { EventDecoder } from '../../adapter/event-decoder.ts'
import { createDeltaEmitter } from '../../adapter/delta-emitter.ts'
import { earlyEnd } from '../../adapter/delta-emitter.ts'
import { openAiResponsesItems } from './openai-responses-items.ts'
import type { ResponseItems } from './openai-responses-items.ts'
import { readProviderError, providerFailure } from '../../http/provider-failure.ts'
import type { ResponseContext } from '../../http/provider-failure.ts'
import { unknownUsage } from '../../adapter/usage-cost.ts'
import { isObject, recordOf, textOf, countOf } from '../../http/json-field.ts'
import { usageCost } from '../../adapter/usage-cost.ts'

type Fields = Readonly<Record<string, unknown>>

/** Milliseconds that the body may go on. */
const lingerMs = 25

interface Reading {
  readonly emit: (delta: AssistantDelta) => void
  readonly context: ResponseContext
  readonly items: ResponseItems
  started: boolean
  /** The provider's final status; '' before it arrives. */
  status: string
  /** The reason of an incomplete response. */
  reason: string
  usage: unknown
}

/** Skips events of unknown types; decodes a response that was not streamed as a whole. */
export function openAiResponsesDecoder(
  { model, context }: { readonly model: Model; readonly context: ResponseContext },
  emit: (delta: AssistantDelta) => void,
): EventDecoder {
  const writer = createDeltaEmitter(emit)
  const items = openAiResponsesItems(writer)
  const reading: Reading = { emit, context, items, started: false, status: '', reason: '', usage: undefined }
  return {
    get lingerMs() {
      return reading.status === '' ? undefined : lingerMs
    },
    read: (value) => {
      if (value !== endMark) readEvent(value, reading)
    },
    end: () => {
      if (reading.status === '') throw earlyEnd(context.provider)
      if (reading.reason === 'content_filter') throw refusalFailure(context.provider)
      writer.closeAll()
      const usage = openAiResponsesUsage(reading.usage, model.prices) ?? unknownUsage(model)
      emit({ type: 'done', stopReason: stopReasonOf(reading), usage })
    },
    emitUsage: () => {
      const usage = openAiResponsesUsage(reading.usage, model.prices)
      if (usage !== undefined) emit({ type: 'usage', usage })
    },
  }
}

function readEvent(value: unknown, reading: Reading): void {
  const event = recordOf(value)
  const type = textOf(event['type'])
  if (type.endsWith('.delta')) reading.items.delta(event)
  else if (type === 'response.output_item.added') reading.items.added(event)
  else if (type === 'response.output_item.done') reading.items.done(event)
  else if (type === 'error') throw providerFailure(readProviderError(event) ?? {}, reading.context)
  else if (isObject(event['response'])) readResponse(recordOf(event['response']), type, reading)
  else if (event['object'] === 'response') readWhole(event, reading)
  else requireEvent(value, reading.context)
}

/** `response.created`, `.in_progress`, `.completed` …: each contains the current response. */
function readResponse(response: Fields, type: string, reading: Reading): void {
  reading.usage = response['usage'] ?? reading.usage
  start(response, reading)
  if (type === 'response.completed' || type === 'response.incomplete')
    end(response, type.slice('response.'.length), reading)
  else if (type === 'response.failed' || type === 'response.cancelled') throw responseFailure(response, reading.context)
}

function readWhole(response: Fields, reading: Reading): void {
  reading.usage = response['usage']
  start(response, reading)
  const status = textOf(response['status'])
  if (isObject(response['error']) || status === 'failed') throw responseFailure(response, reading.context)
  const output: readonly unknown[] = Array.isArray(response['output']) ? response['output'] : []
  for (const [index, item] of output.entries()) reading.items.done({ output_index: index, item })
  end(response, status || 'completed', reading)
}

function start(response: Fields, reading: Reading): void {
  if (reading.started) return
  reading.started = true
  const responseId = textOf(response['id'])
  const model = textOf(response['model'])
  reading.emit({ type: 'start', ...(responseId && { responseId }), ...(model && { model }) })
}

function end(response: Fields, status: string, reading: Reading): void {
  reading.status = status
  reading.reason = textOf(recordOf(response['incomplete_details'])['reason'])
}

/** The presence of calls decides, not the provider's word (docs/loop.md#14). */
function stopReasonOf({ status, items }: Reading): StopReason {
  if (status === 'incomplete') return 'length'
  return items.calls > 0 ? 'toolUse' : 'stop'
}

function responseFailure(response: Fields, context: ResponseContext): Failure {
  return providerFailure(
    readProviderError(response) ?? { message: `the response was ${textOf(response['status'])}` },
    context,
  )
}

/** Throws for an error without a type, and for a value that is no event; not for an event of an unknown type. */
function requireEvent(value: unknown, context: ResponseContext): void {
  const isEvent = isObject(value) && typeof value['type'] === 'string'
  const error = isEvent ? undefined : readProviderError(value)
  if (error !== undefined) throw providerFailure(error, context)
  if (isEvent) return
  throw new Failure('provider_error', `${context.provider} sent something that is no event of a response.`, {
    data: { kind: 'bad_request' },
  })
}

function refusalFailure(provider: string): Failure {
  return new Failure('provider_error', `${provider}: the content filter stopped the answer.`, {
    data: { kind: 'refused', providerCode: 'content_filter' },
  })
}

/**
 * Converts the usage. Input tokens include the cached ones, rxpi's do not; output tokens include reasoning. Undefined
 * if the value is no usage.
 */
export function openAiResponsesUsage(reported: unknown, prices: ModelPrices | undefined): Usage | undefined {
  if (!isObject(reported) || typeof reported['input_tokens'] !== 'number') return undefined
  const details = recordOf(reported['input_tokens_details'])
  const reasoning = countOf(recordOf(reported['output_tokens_details'])['reasoning_tokens'])
  const input = countOf(reported['input_tokens'])
  const cacheRead = Math.min(input, countOf(details['cached_tokens']))
  const cacheWrite = Math.min(input - cacheRead, countOf(details['cache_write_tokens']))
  const output = countOf(reported['output_tokens'])
  const tokens = { input: input - cacheRead - cacheWrite, output, cacheRead, cacheWrite }
  return {
    ...tokens,
    ...(reasoning > 0 ? { reasoning } : {}),
    totalTokens: input + output,
    cost: usageCost(tokens, prices),
  }
}
