// Decodes a response with the custom provider's parser to deltas.
//
// Guarantees: the end, the order of blocks and every check are rxpi's own.
import type { AnswerParts } from './declaration-schemas.ts'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import type { Usage } from '../../streams/messages/message.ts'
import type { Model, ModelPrices } from '../../streams/models/model.ts'
import { checkAnswerParts } from './check-declaration.ts'
import { endMark } from '../adapter/frame-reader.ts'
import type { EventDecoder } from '../adapter/frame-reader.ts'
import { createStartedEmitter, earlyEnd } from '../adapter/delta-emitter.ts'
import type { DeltaEmitter, ResponseIdentity } from '../adapter/delta-emitter.ts'
import { readProviderError, providerFailure } from '../http/provider-failure.ts'
import type { ResponseContext, ProviderError } from '../http/provider-failure.ts'
import { createToolCallDecoder } from '../adapter/tool-call-decoder.ts'
import type { ToolCallDecoder } from '../adapter/tool-call-decoder.ts'
import { usageCost } from '../../streams/models/price-usage.ts'
import { createUsageReporter } from '../adapter/usage-cost.ts'
import type { UsageFormat } from '../adapter/usage-cost.ts'
import { tokenCount, isObject, recordOf } from '../http/json-field.ts'

/** Milliseconds that the body may go on: the usage is waited for. */
const lingerMs = { finished: 2000, complete: 25 }

export interface CustomDecoderOptions {
  readonly model: Model
  readonly context: ResponseContext
  /** Returns the parser for the response: of chunks or of a whole document. */
  parser(): Parser
}

export interface Parser {
  /** For errors. */
  readonly name: string
  /** True if the parser gets the whole response at once. */
  readonly whole: boolean
  parse(value: unknown, event: string | undefined): unknown
}

/** A throw of the parser, and parts of another shape, are failures of kind `bad_request` that name the parser. */
export function customDecoder(
  { model, context, parser }: CustomDecoderOptions,
  emit: (delta: AssistantDelta) => void,
): EventDecoder {
  const state: DecoderState = {}
  const { writer, start } = createStartedEmitter(emit, state)
  const usage = createUsageReporter(usageFormat, { model, provider: context.provider }, emit)
  const calls = createToolCallDecoder(
    writer,
    (count) => `call_${count}${state.responseId ? `_${state.responseId}` : ''}`,
  )

  return {
    get lingerMs() {
      return lingerOf(state)
    },
    get isComplete() {
      return state.isDone === true
    },
    hasEvent: (name) => !keepAlives.has(name),
    read: (value, event) => {
      if (value === endMark) state.isDone = true
      else {
        const parts = partsOf(value, event, parser())
        updateState(state, parts)
        const error = parts.error ?? errorIn(value)
        if (error) throw providerFailure(providerError(error), context)
        emitParts(parts, writer, calls)
      }
      return true
    },
    readUsage: (value) => {
      state.reported = usageBehindEnd(value, parser()) ?? state.reported
    },
    end: () => {
      if (state.stopReason === undefined && state.isDone !== true) throw earlyEnd(context.provider)
      writer.closeAll()
      start()
      const stopReason = state.stopReason === 'length' ? 'length' : calls.count > 0 ? 'toolUse' : 'stop'
      usage.emitDone(stopReason, state.reported)
    },
    emitUsage: () => {
      usage.emitUsage(state.reported)
    },
  }
}

/** The response so far. */
interface DecoderState extends ResponseIdentity {
  stopReason?: NonNullable<AnswerParts['stopReason']>
  reported?: NonNullable<AnswerParts['usage']> | undefined
  isDone?: boolean
}

function lingerOf({ stopReason, reported, isDone }: DecoderState): number | undefined {
  if (isDone === true || (stopReason !== undefined && reported !== undefined)) return lingerMs.complete
  return stopReason === undefined ? undefined : lingerMs.finished
}

function updateState(state: DecoderState, parts: AnswerParts): void {
  if (parts.usage) state.reported = parts.usage
  if (parts.responseId) state.responseId ??= parts.responseId
  if (parts.model) state.model = parts.model
  if (parts.stopReason) state.stopReason = parts.stopReason
  if (parts.done) state.isDone = true
}

function emitParts({ text, thinking, toolCalls }: AnswerParts, writer: DeltaEmitter, calls: ToolCallDecoder): void {
  writer.thinking(thinking ?? '')
  writer.text(text ?? '')
  const pieces = (toolCalls ?? []).map(({ name, arguments: args, ...call }) => ({
    ...call,
    function: { name, arguments: args },
  }))
  calls.read(pieces)
}

function partsOf(value: unknown, event: string | undefined, { name, parse, whole }: Parser): AnswerParts {
  const parts = checkedParts(
    name,
    callParser(name, () => parse(value, event)),
  )
  return whole ? { ...parts, done: true } : parts
}

function callParser(name: string, parse: () => unknown): unknown {
  try {
    return parse()
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown
    throw badParser(`${name} threw: ${describeThrown(thrown)}`, thrown)
  }
}

function checkedParts(name: string, parts: unknown): AnswerParts {
  if (parts === undefined || parts === null) return {}
  const usage = infiniteUsage(parts)
  const checked = checkAnswerParts(usage === undefined ? parts : { ...parts, usage: {} })
  if (checked.ok) return usage === undefined ? checked.value : { ...checked.value, usage }
  throw badParser(`${name} returned parts that do not fit: ${checked.problem}.`)
}

/** A usage with Infinity or NaN, which no schema lets through: the reporter makes it unknown. */
function infiniteUsage(parts: unknown): AnswerParts['usage'] {
  const usage = isObject(parts) ? parts['usage'] : undefined
  if (!isObject(usage)) return undefined
  return Object.values(usage).some((count) => typeof count === 'number' && !Number.isFinite(count)) ? usage : undefined
}

function badParser(message: string, cause?: unknown): Failure {
  return new Failure('provider_error', message, { data: { kind: 'bad_request' }, cause })
}

/** An error that the custom parser ignores still fails the response. */
function errorIn(value: unknown): ProviderError | undefined {
  const { error, errors } = recordOf(value)
  return error || (Array.isArray(errors) && errors.length > 0) ? readProviderError(value) : undefined
}

function providerError({ message, code, status }: NonNullable<AnswerParts['error']> | ProviderError): ProviderError {
  return {
    ...(message === undefined ? {} : { message }),
    ...(code === undefined || code === null ? {} : { code: String(code) }),
    ...(typeof status === 'number' ? { status } : {}),
  }
}

/** The names of events by which servers keep a connection alive. */
const keepAlives: ReadonlySet<string> = new Set(['ping', 'keepalive', 'keep-alive', 'heartbeat'])

/** A parser that fails after the end cannot fail the answer: it is complete. */
function usageBehindEnd(value: unknown, parser: Parser): DecoderState['reported'] {
  try {
    return partsOf(value, undefined, parser).usage ?? undefined
  } catch {
    return undefined
  }
}

const usageFormat: UsageFormat = {
  counts: ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning'],
  convert: (reported, prices) => (isObject(reported) ? usageOf(reported, prices) : undefined),
}

function usageOf(parts: NonNullable<AnswerParts['usage']>, prices: ModelPrices | undefined): Usage {
  const counts = {
    input: tokenCount(parts.input),
    output: tokenCount(parts.output),
    cacheRead: tokenCount(parts.cacheRead),
    cacheWrite: tokenCount(parts.cacheWrite),
  }
  const reasoning = tokenCount(parts.reasoning)
  return {
    ...counts,
    ...(reasoning > 0 ? { reasoning } : {}),
    totalTokens: counts.input + counts.output + counts.cacheRead + counts.cacheWrite,
    cost: usageCost(counts, prices),
  }
}
