// Decodes the events of Bedrock's ConverseStream to deltas; `messageStop` completes the response.
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { StopReason, Usage } from '../../streams/messages/message.ts'
import type { Model, ModelPrices } from '../../streams/models/model.ts'
import { usageCost } from '../../streams/models/price-usage.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ProviderFailureKind } from '../../streams/values/failure.ts'
import { getOwn } from '../../streams/values/json.ts'
import { createStartedEmitter, earlyEnd } from '../adapter/delta-emitter.ts'
import type { CallEmitter, DeltaEmitter } from '../adapter/delta-emitter.ts'
import { brokenFrame, judgeForeign } from '../adapter/frame-reader.ts'
import type { EventDecoder } from '../adapter/frame-reader.ts'
import { createUsageReporter } from '../adapter/usage-cost.ts'
import type { UsageFormat } from '../adapter/usage-cost.ts'
import { tokenCount, isObject, recordOf, textOf } from '../http/json-field.ts'
import type { ResponseContext } from '../http/provider-failure.ts'

type Fields = Readonly<Record<string, unknown>>

/** Milliseconds that the body may go on after `messageStop`: the usage follows in an event of its own. */
const linger = { withUsage: 25, withoutUsage: 2000 }

interface Response {
  /** The provider's stop reason; '' before it arrives. */
  stop: string
  usage: unknown
}

export function bedrockDecoder(
  { model, context }: { readonly model: Model; readonly context: ResponseContext },
  emit: (delta: AssistantDelta) => void,
): EventDecoder {
  const response: Response = { stop: '', usage: undefined }
  const { writer, start } = createStartedEmitter(emit, {})
  const blocks = createBlocks(writer, context)
  const usage = createUsageReporter(usageFormat, { model, provider: context.provider }, emit)
  const readers = eventReaders({ response, start, blocks })
  const hasEvent = (name: string): boolean => Object.hasOwn(readers, name)
  return {
    get lingerMs() {
      if (response.stop === '') return undefined
      return response.usage === undefined ? linger.withoutUsage : linger.withUsage
    },
    get isComplete() {
      return response.stop !== ''
    },
    hasEvent,
    read: (value, name = '') => {
      const reader = getOwn(readers, name)
      if (reader === undefined || !isObject(value)) return judgeForeign(value, name, { context, hasEvent })
      reader(value)
      return true
    },
    readUsage: (value) => {
      response.usage = recordOf(value)['usage'] ?? response.usage
    },
    end: () => {
      const { stop } = response
      if (stop === '') throw earlyEnd(context.provider)
      const failure = getOwn(failures, stop)
      if (failure !== undefined) throw ended(context.provider, stop, failure)
      writer.closeAll()
      start()
      usage.emitDone(stopReasonOf(stop, blocks.calls > 0), response.usage)
    },
    emitUsage: () => {
      usage.emitUsage(response.usage)
    },
  }
}

type Readers = Readonly<Record<string, (event: Fields) => void>>

interface Reading {
  readonly response: Response
  readonly start: () => void
  readonly blocks: Blocks
}

/** The readers of events by their names. */
function eventReaders({ response, start, blocks }: Reading): Readers {
  return {
    messageStart: start,
    contentBlockStart: blocks.start,
    contentBlockDelta: blocks.delta,
    contentBlockStop: blocks.stop,
    messageStop: ({ stopReason }) => {
      response.stop = textOf(stopReason) || 'end_turn'
    },
    metadata: (event) => {
      response.usage = event['usage'] ?? response.usage
    },
    'initial-response': () => undefined,
  }
}

/** The presence of calls decides, not the provider's word (docs/loop.md#14). */
function stopReasonOf(stop: string, hasCalls: boolean): StopReason {
  if (stop === 'max_tokens' || stop === 'model_context_window_exceeded') return 'length'
  return hasCalls ? 'toolUse' : 'stop'
}

interface Ending {
  readonly kind: ProviderFailureKind
  readonly message: string
}

const refused: Ending = { kind: 'refused', message: 'the answer was stopped by its filters' }
const broken: Ending = { kind: 'overloaded', message: 'the model made an answer that cannot be read' }
const failures: Readonly<Record<string, Ending>> = {
  guardrail_intervened: refused,
  content_filtered: refused,
  refusal: { kind: 'refused', message: 'the model refused to answer' },
  malformed_model_output: broken,
  malformed_tool_use: broken,
}

function ended(provider: string, stop: string, { kind, message }: Ending): Failure {
  return new Failure('provider_error', `${provider}: ${message} (${stop}).`, { data: { kind, providerCode: stop } })
}

interface Blocks {
  /** The number of calls so far. */
  readonly calls: number
  start(event: Fields): void
  delta(event: Fields): void
  stop(event: Fields): void
}

/** One thinking block while it streams. */
interface Thinking {
  hasText: boolean
  signature: string
  /** Encrypted thinking, in pieces of bytes. */
  readonly redacted: Uint8Array[]
}

/** Emits blocks by their index. Only calls begin with an event; blocks of unknown types are skipped. */
function createBlocks(writer: DeltaEmitter, context: ResponseContext): Blocks {
  const calls = new Map<unknown, CallEmitter>()
  const thoughts = new Map<unknown, Thinking>()
  let count = 0

  const readThinking = (index: unknown, piece: Fields): void => {
    const thinking = thoughts.get(index) ?? { hasText: false, signature: '', redacted: [] }
    thoughts.set(index, thinking)
    const text = textOf(piece['text'])
    thinking.hasText ||= text !== ''
    writer.thinking(text)
    thinking.signature += textOf(piece['signature'])
    const bytes = textOf(piece['redactedContent'])
    if (bytes !== '') thinking.redacted.push(Buffer.from(bytes, 'base64'))
  }
  return {
    get calls() {
      return count
    },
    start: ({ contentBlockIndex: index, start }) => {
      const { toolUse } = recordOf(start)
      if (!isObject(toolUse)) return
      count++
      calls.set(index, writer.call(textOf(toolUse['toolUseId']) || `call_${count}`, textOf(toolUse['name'])))
    },
    delta: ({ contentBlockIndex: index, delta }) => {
      if (!isObject(delta)) throw brokenFrame(context, 'whose delta is missing')
      const { text, toolUse, reasoningContent } = delta
      writer.text(textOf(text))
      if (isObject(toolUse)) calls.get(index)?.arguments(textOf(toolUse['input']))
      if (isObject(reasoningContent)) readThinking(index, reasoningContent)
    },
    stop: ({ contentBlockIndex: index }) => {
      const thinking = thoughts.get(index)
      if (thinking !== undefined) endThinking(writer, thinking)
      else if (!calls.has(index)) writer.closeBlock()
      calls.get(index)?.close()
      thoughts.delete(index)
      calls.delete(index)
    },
  }
}

function endThinking(writer: DeltaEmitter, { hasText, signature, redacted }: Thinking): void {
  if (redacted.length > 0) {
    writer.closeBlock()
    writer.hiddenThinking(Buffer.concat(redacted).toString('base64'), true)
  } else if (hasText) writer.closeBlock(signature === '' ? undefined : signature)
  else if (signature !== '') writer.hiddenThinking(signature, false)
}

/** Converts the usage. Input tokens are without those of the cache. Undefined if the value is not a usage. */
export function bedrockUsage(reported: unknown, prices: ModelPrices | undefined): Usage | undefined {
  const report = recordOf(reported)
  if (typeof report['inputTokens'] !== 'number') return undefined
  const tokens = {
    input: tokenCount(report['inputTokens']),
    output: tokenCount(report['outputTokens']),
    cacheRead: tokenCount(report['cacheReadInputTokens']),
    cacheWrite: tokenCount(report['cacheWriteInputTokens']),
  }
  const { input, output, cacheRead, cacheWrite } = tokens
  return { ...tokens, totalTokens: input + output + cacheRead + cacheWrite, cost: usageCost(tokens, prices) }
}

const usageFormat: UsageFormat = {
  counts: ['inputTokens', 'outputTokens', 'totalTokens', 'cacheReadInputTokens', 'cacheWriteInputTokens'],
  convert: bedrockUsage,
}
