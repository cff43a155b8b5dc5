// Decodes the events of the Messages API to deltas; `message_stop` completes the response.
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { StopReason, Usage } from '../../streams/messages/message.ts'
import type { Model, ModelPrices } from '../../streams/models/model.ts'
import { getOwn } from '../../streams/values/json.ts'
import { anthropicMessagesBlocks } from './anthropic-messages-blocks.ts'
import type { MessageBlocks } from './anthropic-messages-blocks.ts'
import type { EventDecoder } from '../adapter/event-decoder.ts'
import { createDeltaEmitter } from '../adapter/delta-emitter.ts'
import { earlyEnd } from '../adapter/delta-emitter.ts'
import { readProviderError, providerFailure } from '../http/provider-failure.ts'
import type { ResponseContext } from '../http/provider-failure.ts'
import { unknownUsage } from '../adapter/usage-cost.ts'
import { isObject, recordOf, textOf, countOf } from '../http/json-field.ts'
import { usageCost } from '../adapter/usage-cost.ts'

type Fields = Readonly<Record<string, unknown>>

/** Milliseconds that the body may go on. */
const lingerMs = 25

interface Reading {
  readonly emit: (delta: AssistantDelta) => void
  readonly context: ResponseContext
  readonly blocks: MessageBlocks
  started: boolean
  stopped: boolean
  /** The provider's stop reason. */
  finish: string
  details: Fields
  reported: Fields
}

/** Skips events of unknown types, as the API requires; decodes a response that was not streamed as a whole. */
export function anthropicMessagesDecoder(
  { model, context }: { readonly model: Model; readonly context: ResponseContext },
  emit: (delta: AssistantDelta) => void,
): EventDecoder {
  const writer = createDeltaEmitter(emit)
  const blocks = anthropicMessagesBlocks(writer)
  const reading: Reading = {
    emit,
    context,
    blocks,
    started: false,
    stopped: false,
    finish: '',
    details: {},
    reported: {},
  }
  return {
    get lingerMs() {
      return reading.stopped ? lingerMs : undefined
    },
    read: (value) => {
      const event = recordOf(value)
      const type = textOf(event['type'])
      const reader = getOwn(readers, type)
      if (reader !== undefined) reader(event, reading)
      else requireEvent(value, context)
    },
    end: () => {
      const { stopped, finish, details, reported } = reading
      if (!stopped) throw earlyEnd(context.provider)
      if (finish === 'refusal') throw refusalFailure(context.provider, details)
      writer.closeAll()
      const usage = anthropicMessagesUsage(reported, model.prices) ?? unknownUsage(model)
      emit({ type: 'done', stopReason: stopReasonOf(finish, blocks.calls > 0), usage })
    },
    emitUsage: () => {
      const usage = anthropicMessagesUsage(reading.reported, model.prices)
      if (usage !== undefined) emit({ type: 'usage', usage })
    },
  }
}

const readers: Readonly<Record<string, (event: Fields, reading: Reading) => void>> = {
  content_block_delta: ({ index, delta }, { blocks }) => {
    blocks.delta(index, delta)
  },
  content_block_start: ({ index, content_block: block }, { blocks }) => {
    blocks.start(index, block)
  },
  content_block_stop: ({ index }, { blocks }) => {
    blocks.stop(index)
  },
  message_start: ({ message }, reading) => {
    startMessage(recordOf(message), reading)
  },
  message_delta: ({ delta, usage }, reading) => {
    readEnd(recordOf(delta), reading)
    reading.reported = mergeUsage(reading.reported, usage)
  },
  message_stop: (_, reading) => {
    reading.stopped = true
  },
  message: readWhole,
  error: (event, { context }) => {
    throw providerFailure(readProviderError(event) ?? {}, context)
  },
}

function startMessage(message: Fields, reading: Reading): void {
  reading.blocks.forget() // a gateway that repeated the request continues with another message
  reading.reported = mergeUsage({}, message['usage'])
  if (reading.started) return
  reading.started = true
  const responseId = textOf(message['id'])
  const model = textOf(message['model'])
  reading.emit({ type: 'start', ...(responseId && { responseId }), ...(model && { model }) })
}

function readEnd(end: Fields, reading: Reading): void {
  reading.finish = textOf(end['stop_reason']) || reading.finish
  reading.details = recordOf(end['stop_details'])
}

function readWhole(message: Fields, reading: Reading): void {
  startMessage(message, reading)
  const content: readonly unknown[] = Array.isArray(message['content']) ? message['content'] : []
  for (const block of content) {
    reading.blocks.start(0, block)
    reading.blocks.stop(0)
  }
  readEnd(message, reading)
  reading.stopped = true
}

/** `pause_turn` ends an answer with tools that run at the provider. rxpi requests none, so nothing continues it. */
function stopReasonOf(finish: string, hasCalls: boolean): StopReason {
  if (finish === 'max_tokens' || finish === 'model_context_window_exceeded') return 'length'
  return hasCalls ? 'toolUse' : 'stop'
}

/** Throws for an error without a type, and for a value that is no event; not for an event of an unknown type. */
function requireEvent(value: unknown, context: ResponseContext): void {
  const error = readProviderError(value)
  if (error !== undefined) throw providerFailure(error, context)
  if (isObject(value) && typeof value['type'] === 'string') return
  throw new Failure('provider_error', `${context.provider} sent something that is no event of a message.`, {
    data: { kind: 'bad_request' },
  })
}

function refusalFailure(provider: string, { category, explanation }: Fields): Failure {
  const why = textOf(explanation) || 'no reason was given'
  return new Failure('provider_error', `${provider} refused to answer: ${why}`, {
    data: { kind: 'refused', providerCode: 'refusal', ...(textOf(category) && { category: textOf(category) }) },
  })
}

type ReportedUsage = Readonly<Record<string, unknown>>

/**
 * Merges a report into the usage so far. Reports are cumulative and partial: a later number replaces an earlier one.
 */
export function mergeUsage(reported: ReportedUsage, report: unknown): ReportedUsage {
  return { ...reported, ...Object.fromEntries(Object.entries(recordOf(report)).filter(([, value]) => value !== null)) }
}

/**
 * Converts the usage. Input tokens exclude the cached ones, as rxpi's do; output tokens include thinking. Undefined
 * before any report.
 */
export function anthropicMessagesUsage(reported: ReportedUsage, prices: ModelPrices | undefined): Usage | undefined {
  if (typeof reported['input_tokens'] !== 'number' && typeof reported['output_tokens'] !== 'number') return undefined
  const reasoning = countOf(recordOf(reported['output_tokens_details'])['thinking_tokens'])
  const tokens = {
    input: countOf(reported['input_tokens']),
    output: countOf(reported['output_tokens']),
    cacheRead: countOf(reported['cache_read_input_tokens']),
    cacheWrite: countOf(reported['cache_creation_input_tokens']),
  }
  return {
    ...tokens,
    ...(reasoning > 0 ? { reasoning } : {}),
    totalTokens: tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite,
    cost: usageCost(tokens, prices),
  }
}
