// Decodes the events of the Messages API to deltas; `message_stop` completes the response.
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { StopReason, Usage } from '../../streams/messages/message.ts'
import type { Model, ModelPrices } from '../../streams/models/model.ts'
import { getOwn } from '../../streams/values/json.ts'
import { anthropicMessagesBlocks } from './anthropic-messages-blocks.ts'
import type { MessageBlocks } from './anthropic-messages-blocks.ts'
import { tooLongToContinue } from './anthropic-messages-resumption.ts'
import type { PausedAnswer } from './anthropic-messages-resumption.ts'
import { brokenFrame, endMark, judgeForeign } from '../adapter/frame-reader.ts'
import type { EventDecoder } from '../adapter/frame-reader.ts'
import { createDeltaEmitter, earlyEnd } from '../adapter/delta-emitter.ts'
import { readProviderError, providerFailure } from '../http/provider-failure.ts'
import type { ResponseContext } from '../http/provider-failure.ts'
import { createUsageReporter } from '../adapter/usage-cost.ts'
import { isObject, recordOf, textOf, tokenCount } from '../http/json-field.ts'
import { usageCost } from '../../streams/models/price-usage.ts'
import type { UsageFormat } from '../adapter/usage-cost.ts'

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
  /** The container in which the provider's tools run. */
  container: string
}

export interface MessagesDecoderOptions {
  readonly model: Model
  readonly context: ResponseContext
  /** The answer that this response continues. */
  readonly earlier?: PausedAnswer | undefined
  /** Called at the end of a response that another request continues; `done` is then not emitted. */
  readonly onPause?: (paused: PausedAnswer) => void
}

/** Skips events of unknown types, as the API requires; decodes a response that was not streamed as a whole. */
export function anthropicMessagesDecoder(
  { model, context, earlier, onPause }: MessagesDecoderOptions,
  emit: (delta: AssistantDelta) => void,
): EventDecoder {
  const writer = createDeltaEmitter(emit, earlier?.nextIndex)
  const blocks = anthropicMessagesBlocks(writer)
  const owner = { model, provider: context.provider, ...(earlier === undefined ? {} : { earlier: earlier.usage }) }
  const usage = createUsageReporter(usageFormat, owner, emit)
  const reading = newReading({ emit, context, blocks }, earlier)
  const pausedAnswer = (): PausedAnswer => {
    const content = blocks.raw()
    if (content === undefined) throw tooLongToContinue(context.provider)
    return {
      content: [...(earlier?.content ?? []), ...content],
      ...(reading.container === '' ? {} : { container: reading.container }),
      nextIndex: writer.nextIndex(),
      usage: usage.total(reading.reported),
    }
  }
  return {
    get lingerMs() {
      return reading.stopped ? lingerMs : undefined
    },
    get isComplete() {
      return reading.stopped
    },
    hasEvent,
    read: (value, name) => readEvent(value, name, reading),
    readUsage: (value) => {
      reading.reported = mergeUsage(reading.reported, recordOf(value)['usage'])
    },
    end: () => {
      const { stopped, finish, details, reported } = reading
      if (!stopped) throw earlyEnd(context.provider)
      if (finish === 'refusal') throw refusalFailure(context.provider, details)
      writer.closeAll()
      if (onPause !== undefined && finish === 'pause_turn' && blocks.calls === 0) onPause(pausedAnswer())
      else usage.emitDone(stopReasonOf(finish, blocks.calls > 0), reported)
    },
    emitUsage: () => {
      usage.emitUsage(reading.reported)
    },
  }
}

function newReading(parts: Pick<Reading, 'emit' | 'context' | 'blocks'>, earlier: PausedAnswer | undefined): Reading {
  return {
    ...parts,
    started: earlier !== undefined,
    stopped: false,
    finish: '',
    details: {},
    reported: {},
    container: earlier?.container ?? '',
  }
}

/** Returns false for an event that is not the API's. @throws Failure */
function readEvent(value: unknown, name: string | undefined, reading: Reading): boolean {
  const { context } = reading
  const event = recordOf(value)
  const type = textOf(event['type'])
  const reader = getOwn(readers, type)
  if (reader !== undefined) {
    requireContent(type, event, context)
    reader(event, reading)
  } else if (value !== endMark && type !== 'ping') return judgeForeign(value, name, { context, hasEvent })
  return true
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

/** `ping` is the API's too, but has no content that could be broken. */
function hasEvent(name: string): boolean {
  return Object.hasOwn(readers, name)
}

/** The object that an event of each of these types carries. */
const contentFields: Readonly<Record<string, string>> = {
  message_start: 'message',
  content_block_start: 'content_block',
  content_block_delta: 'delta',
}

function requireContent(type: string, event: Fields, context: ResponseContext): void {
  const field = getOwn(contentFields, type)
  if (field === undefined || isObject(event[field])) return
  throw brokenFrame(context, `of type ${type} without its ${field}`)
}

function startMessage(message: Fields, reading: Reading): void {
  reading.blocks.forget() // a gateway that repeated the request continues with another message
  reading.reported = mergeUsage({}, message['usage'])
  reading.container = containerOf(message) || reading.container
  if (reading.started) return
  reading.started = true
  const responseId = textOf(message['id'])
  const model = textOf(message['model'])
  reading.emit({ type: 'start', ...(responseId && { responseId }), ...(model && { model }) })
}

function readEnd(end: Fields, reading: Reading): void {
  reading.finish = textOf(end['stop_reason']) || reading.finish
  reading.details = recordOf(end['stop_details'])
  reading.container = containerOf(end) || reading.container
}

function containerOf({ container }: Fields): string {
  return textOf(recordOf(container)['id'])
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

/** A `pause_turn` that comes here has calls of rxpi's tools: their results continue the answer. */
function stopReasonOf(finish: string, hasCalls: boolean): StopReason {
  if (finish === 'max_tokens' || finish === 'model_context_window_exceeded') return 'length'
  return hasCalls ? 'toolUse' : 'stop'
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
  const reasoning = tokenCount(recordOf(reported['output_tokens_details'])['thinking_tokens'])
  const tokens = {
    input: tokenCount(reported['input_tokens']),
    output: tokenCount(reported['output_tokens']),
    cacheRead: tokenCount(reported['cache_read_input_tokens']),
    cacheWrite: tokenCount(reported['cache_creation_input_tokens']),
  }
  return {
    ...tokens,
    ...(reasoning > 0 ? { reasoning } : {}),
    totalTokens: tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite,
    cost: usageCost(tokens, prices),
  }
}

const usageFormat: UsageFormat = {
  counts: [
    'input_tokens',
    'output_tokens',
    'cache_read_input_tokens',
    'cache_creation_input_tokens',
    'output_tokens_details.thinking_tokens',
  ],
  convert: (reported, prices) => anthropicMessagesUsage(recordOf(reported), prices),
}
