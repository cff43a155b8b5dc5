// Decodes the events of the Responses API to deltas; a terminal event completes the response.
import type { AssistantDelta } from '../../../streams/messages/delta.ts'
import { Failure } from '../../../streams/values/failure.ts'
import type { StopReason, Usage } from '../../../streams/messages/message.ts'
import type { Model, ModelPrices } from '../../../streams/models/model.ts'
import { brokenFrame, endMark, judgeForeign } from '../../adapter/frame-reader.ts'
import type { EventDecoder } from '../../adapter/frame-reader.ts'
import { createDeltaEmitter, earlyEnd } from '../../adapter/delta-emitter.ts'
import { openAiResponsesItems } from './openai-responses-items.ts'
import type { ResponseItems } from './openai-responses-items.ts'
import { readProviderError, providerFailure } from '../../http/provider-failure.ts'
import type { ResponseContext } from '../../http/provider-failure.ts'
import { createUsageReporter } from '../../adapter/usage-cost.ts'
import { isObject, recordOf, textOf, tokenCount } from '../../http/json-field.ts'
import { usageCost } from '../../../streams/models/price-usage.ts'
import type { UsageFormat } from '../../adapter/usage-cost.ts'

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

/** Skips the API's events of unknown types; decodes a response that was not streamed as a whole. */
export function openAiResponsesDecoder(
  { model, context }: { readonly model: Model; readonly context: ResponseContext },
  emit: (delta: AssistantDelta) => void,
): EventDecoder {
  const writer = createDeltaEmitter(emit)
  const items = openAiResponsesItems(writer)
  const usage = createUsageReporter(usageFormat, { model, provider: context.provider }, emit)
  const reading: Reading = { emit, context, items, started: false, status: '', reason: '', usage: undefined }
  return {
    get lingerMs() {
      return reading.status === '' ? undefined : lingerMs
    },
    get isComplete() {
      return reading.status !== ''
    },
    hasEvent,
    read: (value, name) => value === endMark || readEvent(value, name, reading),
    readUsage: (value) => {
      const event = recordOf(value)
      reading.usage = recordOf(event['response'])['usage'] ?? event['usage'] ?? reading.usage
    },
    end: () => {
      if (reading.status === '') throw earlyEnd(context.provider)
      if (reading.reason === 'content_filter') throw refusalFailure(context.provider)
      writer.closeAll()
      usage.emitDone(stopReasonOf(reading), reading.usage)
    },
    emitUsage: () => {
      usage.emitUsage(reading.usage)
    },
  }
}

function hasEvent(name: string): boolean {
  return name.startsWith('response.')
}

/** Returns false for an event that is not the API's. @throws Failure */
function readEvent(value: unknown, name: string | undefined, reading: Reading): boolean {
  const { context, items } = reading
  const event = recordOf(value)
  const type = textOf(event['type'])
  if (type.endsWith('.delta')) items.delta(event)
  else if (type.startsWith('response.output_item.')) readItem(type, event, reading)
  else if (type === 'error') throw providerFailure(readProviderError(event) ?? {}, context)
  else if (isObject(event['response'])) readResponse(recordOf(event['response']), type, reading)
  else if (event['object'] === 'response') readWhole(event, reading)
  else if (ends.has(type)) throw brokenFrame(context, `of type ${type} without its response`)
  else if (!hasEvent(type) && type !== 'keepalive') return judgeForeign(value, name, { context, hasEvent })
  return true
}

const ends: ReadonlySet<string> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.done',
])

function readItem(type: string, event: Fields, { context, items }: Reading): void {
  if (!isObject(event['item'])) throw brokenFrame(context, `of type ${type} without its item`)
  if (type === 'response.output_item.added') items.added(event)
  else if (type === 'response.output_item.done') items.done(event)
}

/** `response.created`, `.in_progress`, `.completed` …: each contains the current response. */
function readResponse(response: Fields, type: string, reading: Reading): void {
  reading.usage = response['usage'] ?? reading.usage
  start(response, reading)
  if (type === 'response.completed' || type === 'response.incomplete') {
    reading.items.complete(outputOf(response))
    end(response, type.slice('response.'.length), reading)
  } else if (type === 'response.done' && finalStatus(response) !== 'failed') {
    reading.items.complete(outputOf(response))
    end(response, finalStatus(response), reading)
  } else if (type === 'response.done' || type === 'response.failed' || type === 'response.cancelled')
    throw responseFailure(response, reading.context)
}

/** How a response ended that no event names: one of the Codex backend, or one that was not streamed. */
function finalStatus({ status, error }: Fields): string {
  if (isObject(error) || status === 'cancelled') return 'failed'
  return textOf(status) || 'completed'
}

function readWhole(response: Fields, reading: Reading): void {
  reading.usage = response['usage']
  start(response, reading)
  const status = finalStatus(response)
  if (status === 'failed') throw responseFailure(response, reading.context)
  for (const [index, item] of outputOf(response).entries()) reading.items.done({ output_index: index, item })
  end(response, status, reading)
}

function outputOf({ output }: Fields): readonly unknown[] {
  return Array.isArray(output) ? output : []
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

function refusalFailure(provider: string): Failure {
  return new Failure('provider_error', `${provider}: the content filter stopped the answer.`, {
    data: { kind: 'refused', providerCode: 'content_filter' },
  })
}

/**
 * Converts the usage. Input tokens include the cached ones, rxpi's do not; output tokens include reasoning. Undefined
 * if the value is not a usage.
 */
export function openAiResponsesUsage(reported: unknown, prices: ModelPrices | undefined): Usage | undefined {
  if (!isObject(reported) || typeof reported['input_tokens'] !== 'number') return undefined
  const details = recordOf(reported['input_tokens_details'])
  const reasoning = tokenCount(recordOf(reported['output_tokens_details'])['reasoning_tokens'])
  const input = tokenCount(reported['input_tokens'])
  const cacheRead = Math.min(input, tokenCount(details['cached_tokens']))
  const cacheWrite = Math.min(input - cacheRead, tokenCount(details['cache_write_tokens']))
  const output = tokenCount(reported['output_tokens'])
  const tokens = { input: input - cacheRead - cacheWrite, output, cacheRead, cacheWrite }
  return {
    ...tokens,
    ...(reasoning > 0 ? { reasoning } : {}),
    totalTokens: input + output,
    cost: usageCost(tokens, prices),
  }
}

const usageFormat: UsageFormat = {
  counts: [
    'input_tokens',
    'output_tokens',
    'total_tokens',
    'input_tokens_details.cached_tokens',
    'input_tokens_details.cache_write_tokens',
    'output_tokens_details.reasoning_tokens',
  ],
  convert: openAiResponsesUsage,
}
