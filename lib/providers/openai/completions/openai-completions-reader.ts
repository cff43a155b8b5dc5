// Chunks of a chat completion go in, one by one, deltas come out at once; what the answer means is said at its end.
import type { AssistantDelta } from '../../../streams/messages/delta.ts'
import { Failure } from '../../../streams/values/failure.ts'
import type { StopReason, Usage } from '../../../streams/messages/message.ts'
import type { Model } from '../../../streams/models/model.ts'
import { endMark } from '../../adapter/answer-deltas.ts'
import type { AnswerReader } from '../../adapter/answer-reader.ts'
import { answerWriter } from '../../adapter/answer-writer.ts'
import { readCompletionDelta } from './completion-delta.ts'
import type { CompletionDelta } from './completion-delta.ts'
import { earlyEnd } from '../../adapter/early-end.ts'
import { defaultCompat } from './openai-completions-compat.ts'
import { openAiCompletionsUsage } from './openai-completions-usage.ts'
import { readProviderError, toldFailure } from '../../http/provider-failure.ts'
import type { AnswerContext } from '../../http/provider-failure.ts'
import { toolCallReader } from '../../adapter/tool-call-reader.ts'
import { untoldUsage } from '../../adapter/untold-usage.ts'
import { textOf as text } from '../../http/wire-value.ts'

/** Milliseconds that the body may go on: the usage is waited for. */
const linger = { finished: 2000, complete: 25 }

/** What is used of a chunk; everything may be missing or of another type. */
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
  /** In an answer that was not streamed. */
  readonly message?: CompletionDelta | null
  readonly finish_reason?: unknown
  readonly usage?: unknown
}

export interface CompletionsReaderOptions {
  readonly model: Model
  readonly context: AnswerContext
  /** @default those of `defaultCompat` */
  readonly reasoningFields?: readonly string[]
}

export function openAiCompletionsReader(
  { model, context, reasoningFields = defaultCompat.reasoningFields }: CompletionsReaderOptions,
  emit: (delta: AssistantDelta) => void,
): AnswerReader {
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
  const writer = answerWriter((delta) => {
    start()
    emit(delta)
  })
  const calls = toolCallReader(writer, (count) => `call_${count}${responseId ? `_${responseId}` : ''}`)
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
      refuseOther(value, context)
      responseId ??= text(chunk.id) || undefined
      responseModel = text(chunk.model) || responseModel
      readCompletionDelta(choice.delta ?? choice.message ?? {}, sink)
      finish = text(choice.finish_reason) || finish
    },
    end: () => {
      if (finish === undefined && !isDone) throw earlyEnd(context.provider)
      if (finish !== undefined && Object.hasOwn(refusals, finish)) throw refused(context.provider, finish)
      writer.closeAll()
      start()
      emit({ type: 'done', stopReason: stopReasonOf(finish, calls.count > 0), usage: usage ?? untoldUsage(model) })
    },
    tellUsage: () => {
      if (usage !== undefined) emit({ type: 'usage', usage })
    },
  }
}

const refusals: Readonly<Record<string, { kind: 'refused' | 'overloaded'; message: string }>> = {
  content_filter: { kind: 'refused', message: 'the content filter stopped the answer' },
  error: { kind: 'overloaded', message: 'the answer ended in an error that was not explained' },
  insufficient_system_resource: { kind: 'overloaded', message: 'the answer was cut for want of resources' },
}

/** Calls are decided by content, not by the word that the provider found for it (LOOP 14). */
function stopReasonOf(finish: string | undefined, hasCalls: boolean): StopReason {
  if (finish === 'length' || finish === 'model_length') return 'length'
  return hasCalls ? 'toolUse' : 'stop'
}

/** Throws what is an error or no chunk. Beside choices only `error` counts as one, elsewhere `message` and `detail` do too. */
function refuseOther(value: unknown, context: AnswerContext): void {
  const chunk = isChunk(value) ? value : undefined
  const error = chunk?.choices === undefined ? readProviderError(value) : told(chunk)
  if (error !== undefined) throw toldFailure(error, context)
  if (chunk !== undefined) return
  throw new Failure('provider_error', `${context.provider} sent something that is no part of a chat completion.`, {
    data: { kind: 'bad_request' },
  })
}

function told({ error }: Chunk): ReturnType<typeof readProviderError> {
  return error === undefined || error === null ? undefined : readProviderError({ error })
}

/** Keep-alives and notices of some gateways have an id, an object or a usage and no choices; they say nothing more. */
function isChunk(value: unknown): value is Chunk {
  if (typeof value !== 'object' || value === null) return false
  return 'choices' in value || 'id' in value || 'object' in value || 'usage' in value
}

function firstChoice({ choices }: Chunk): Choice {
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined
  return typeof first === 'object' && first !== null ? first : {}
}

function refused(provider: string, finish: string): Failure {
  const { kind, message } = refusals[finish] ?? { kind: 'overloaded', message: finish }
  return new Failure('provider_error', `${provider}: ${message}.`, { data: { kind, providerCode: finish } })
}
