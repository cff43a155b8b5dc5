// Decodes the chunks of a chat completion to deltas, each chunk at once.
import type { AssistantDelta } from '../../../streams/messages/delta.ts'
import { Failure } from '../../../streams/values/failure.ts'
import type { StopReason } from '../../../streams/messages/message.ts'
import type { Model } from '../../../streams/models/model.ts'
import { brokenFrame, endMark, judgeForeign } from '../../adapter/frame-reader.ts'
import type { EventDecoder } from '../../adapter/frame-reader.ts'
import { createStartedEmitter, earlyEnd } from '../../adapter/delta-emitter.ts'
import { defaultCompat } from './openai-completions-options.ts'
import { readProviderError, providerFailure } from '../../http/provider-failure.ts'
import type { ResponseContext } from '../../http/provider-failure.ts'
import { createToolCallDecoder } from '../../adapter/tool-call-decoder.ts'
import { createUsageReporter } from '../../adapter/usage-cost.ts'
import type { UsageFormat } from '../../adapter/usage-cost.ts'
import { openAiCompletionsUsageFormat } from './openai-completions-usage.ts'
import { textOf as text, isObject, objectOf, recordOf } from '../../http/json-field.ts'
import { collectReasoningDetails } from './reasoning-details.ts'
import type { ReasoningDetails } from './reasoning-details.ts'
import type { DeltaEmitter, ResponseIdentity } from '../../adapter/delta-emitter.ts'
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
  /** Missing counts as 0. */
  readonly index?: unknown
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
  /** Emits the `reasoning_details` as the signature of a last block of thinking without text. Default false. */
  readonly reasoningDetails?: boolean
  /** @default the usage of `openai-completions` */
  readonly usageFormat?: UsageFormat
}

export function openAiCompletionsDecoder(
  {
    model,
    context,
    reasoningFields = defaultCompat.reasoningFields,
    reasoningDetails = false,
    usageFormat = openAiCompletionsUsageFormat,
  }: CompletionsDecoderOptions,
  emit: (delta: AssistantDelta) => void,
): EventDecoder {
  const response: Response = {}
  const { writer, start } = createStartedEmitter(emit, response)
  const inventId = (count: number): string => `call_${count}${response.responseId ? `_${response.responseId}` : ''}`
  const calls = createToolCallDecoder(writer, inventId)
  const details = reasoningDetails ? collectReasoningDetails() : undefined
  const sink = { writer, calls, reasoningFields, details }
  const usage = createUsageReporter(usageFormat, { model, provider: context.provider }, emit)
  return {
    get lingerMs() {
      return lingerOf(response)
    },
    get isComplete() {
      return response.isDone === true
    },
    hasEvent: () => false,
    read: (value, name) => {
      if (value === endMark) response.isDone = true
      else if (isChunk(value)) readCompletionDelta(noteChunk(value, name, { response, context }), sink)
      else return judgeForeign(value, name, { context, hasEvent: () => false })
      return true
    },
    readUsage: (value) => {
      if (isChunk(value)) noteUsage(response, value, choiceIn(value))
    },
    end: () => {
      const { finish, isDone, reported } = response
      if (finish === undefined && isDone !== true) throw earlyEnd(context.provider)
      if (finish !== undefined && Object.hasOwn(refusals, finish)) throw refusalFailure(context.provider, finish)
      writer.closeAll()
      const signature = details?.json()
      if (signature !== undefined) writer.hiddenThinking(signature, false)
      start()
      usage.emitDone(stopReasonOf(finish, calls.count > 0), reported)
    },
    emitUsage: () => {
      usage.emitUsage(response.reported)
    },
  }
}

/** The response so far. */
interface Response extends ResponseIdentity {
  finish?: string
  /** The last usage report. */
  reported?: unknown
  isDone?: boolean
}

function lingerOf({ finish, reported, isDone }: Response): number | undefined {
  if (isDone === true || (finish !== undefined && reported !== undefined)) return linger.complete
  return finish === undefined ? undefined : linger.finished
}

/**
 * Notes what the chunk says of the response, and returns its delta.
 * @throws Failure for an error and for a broken chunk
 */
function noteChunk(
  chunk: Chunk,
  name: string | undefined,
  { response, context }: { readonly response: Response; readonly context: ResponseContext },
): CompletionDelta {
  const choice = firstChoice(chunk, context)
  noteUsage(response, chunk, choice)
  refuseError(chunk, name, context)
  const id = text(chunk.id)
  const model = text(chunk.model)
  if (id !== '') response.responseId ??= id
  if (model !== '') response.model = model
  if (text(choice.finish_reason) !== '') response.finish = text(choice.finish_reason)
  return choice.delta ?? choice.message ?? {}
}

function noteUsage(response: Response, chunk: Chunk, choice: Choice = {}): void {
  const report = chunk.usage ?? choice.usage ?? chunk.x_groq?.usage
  if (isUsage(report)) response.reported = report
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

/** Throws for an error. With choices only `error` counts as an error; without them `message` and `detail` do too. */
function refuseError(chunk: Chunk, name: string | undefined, context: ResponseContext): void {
  const error = chunk.choices === undefined ? readProviderError(chunk) : chunkError(chunk)
  if (error !== undefined || name === 'error') throw providerFailure(error ?? {}, context)
}

function chunkError({ error }: Chunk): ReturnType<typeof readProviderError> {
  return error === undefined || error === null ? undefined : readProviderError({ error })
}

/** Keep-alives and notices of some gateways have an id, an object or a usage, and no choices. */
function isChunk(value: unknown): value is Chunk {
  if (typeof value !== 'object' || value === null) return false
  return 'choices' in value || 'id' in value || 'object' in value || 'usage' in value
}

function isUsage(value: unknown): boolean {
  return isObject(value) && typeof value['prompt_tokens'] === 'number'
}

/** The choice with index 0; a request asks for one, so others are ignored. @throws Failure for a broken chunk */
function firstChoice(chunk: Chunk, context: ResponseContext): Choice {
  const { choices } = chunk
  if (choices === undefined || choices === null) return {}
  if (!Array.isArray(choices)) throw brokenFrame(context, 'whose choices are not a list')
  if (choices.some((choice) => !isObject(choice))) throw brokenFrame(context, 'with a choice that is not an object')
  const choice = choiceIn(chunk)
  if (choice === undefined) return {}
  const { delta, message } = choice
  if (isMissingOrObject(delta) && isMissingOrObject(message)) return choice
  throw brokenFrame(context, 'whose choice has no readable delta')
}

/** An object that hides its `toString` cannot become a number: it would throw. */
function isFirst(index: unknown): boolean {
  return typeof index !== 'object' && Number(index) === 0
}

function choiceIn({ choices }: Chunk): Choice | undefined {
  const list: readonly unknown[] = Array.isArray(choices) ? choices : []
  return list.find((choice): choice is Choice => isObject(choice) && isFirst(choice['index'] ?? 0))
}

function isMissingOrObject(value: unknown): boolean {
  return value === undefined || value === null || isObject(value)
}

function refusalFailure(provider: string, finish: string): Failure {
  const { kind, message } = refusals[finish] ?? { kind: 'overloaded', message: finish }
  return new Failure('provider_error', `${provider}: ${message}.`, { data: { kind, providerCode: finish } })
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
  readonly details: ReasoningDetails | undefined
}

/** Emits one delta. The signature of thinking is the name of its field. */
function readCompletionDelta(delta: CompletionDelta, sink: CompletionSink): void {
  const { writer, calls, reasoningFields, details } = sink
  const { content, tool_calls: toolCalls } = delta
  details?.read(delta['reasoning_details'])
  for (const field of reasoningFields) {
    const thought = text(delta[field])
    if (thought === '') continue
    writer.thinking(thought, field)
    break
  }
  if (Array.isArray(content)) for (const part of content as unknown[]) readPart(part, writer)
  else writer.text(text(content))
  writer.text(text(delta.refusal))
  if (Array.isArray(toolCalls)) calls.read(toolCalls.map((piece) => objectOf<ToolCallPiece>(piece)))
}

/** Mistral sends a list of parts; thinking is a part with a list of its own. */
function readPart(part: unknown, writer: DeltaEmitter): void {
  const { text: partText, thinking } = recordOf(part)
  if (!Array.isArray(thinking)) writer.text(text(partText))
  else for (const inner of thinking as unknown[]) writer.thinking(text(recordOf(inner)['text']))
}
