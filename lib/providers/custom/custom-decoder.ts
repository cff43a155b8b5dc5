// What a user's parser says of an answer becomes deltas; the end, the order of blocks and every check are ours.
import type { AnswerParts } from './declaration-schemas.ts'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Usage } from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'
import { checkAnswerParts } from './check-declaration.ts'
import { endMark } from '../adapter/event-decoder.ts'
import type { AnswerReader } from '../adapter/event-decoder.ts'
import { answerWriter } from '../adapter/delta-emitter.ts'
import type { AnswerWriter } from '../adapter/delta-emitter.ts'
import { earlyEnd } from '../adapter/delta-emitter.ts'
import { readProviderError, toldFailure } from '../http/provider-failure.ts'
import type { AnswerContext, ProviderError } from '../http/provider-failure.ts'
import { toolCallReader } from '../adapter/tool-call-decoder.ts'
import type { ToolCallReader } from '../adapter/tool-call-decoder.ts'
import { untoldUsage } from '../adapter/usage-cost.ts'
import { usageCost } from '../adapter/usage-cost.ts'
import { countOf, recordOf } from '../http/json-field.ts'
import { describeThrown } from '../../streams/values/failure.ts'

/** Milliseconds that the body may go on: the usage is waited for. */
const linger = { finished: 2000, complete: 25 }

export interface DeclaredReaderOptions {
  readonly model: Model
  readonly context: AnswerContext
  /** The user's parser of what comes now. */
  parser(): Parser
}

export interface Parser {
  /** For errors. */
  readonly name: string
  /** True where it is given the whole answer at once. */
  readonly whole: boolean
  parse(value: unknown, event: string | undefined): unknown
}

/** A throw of the parser, and parts of another shape, are failures of kind `bad_request` that name the parser. */
export function declaredReader(
  { model, context, parser }: DeclaredReaderOptions,
  emit: (delta: AssistantDelta) => void,
): AnswerReader {
  const told: Told = {}
  let started = false

  const start = (): void => {
    if (started) return
    started = true
    const { responseId, model: served } = told
    emit({ type: 'start', ...(responseId ? { responseId } : {}), ...(served ? { model: served } : {}) })
  }
  const writer = answerWriter((delta) => {
    start()
    emit(delta)
  })
  const calls = toolCallReader(writer, (count) => `call_${count}${told.responseId ? `_${told.responseId}` : ''}`)

  return {
    get lingerMs() {
      return lingerOf(told)
    },
    read: (value, event) => {
      if (value === endMark) told.isDone = true
      else {
        const parts = partsOf(value, event, parser())
        take(told, parts, model)
        const error = parts.error ?? errorIn(value)
        if (error) throw toldFailure(providerError(error), context)
        write(parts, writer, calls)
      }
    },
    end: () => {
      if (told.stopReason === undefined && told.isDone !== true) throw earlyEnd(context.provider)
      writer.closeAll()
      start()
      const stopReason = told.stopReason === 'length' ? 'length' : calls.count > 0 ? 'toolUse' : 'stop'
      emit({ type: 'done', stopReason, usage: told.usage ?? untoldUsage(model) })
    },
    tellUsage: () => {
      if (told.usage !== undefined) emit({ type: 'usage', usage: told.usage })
    },
  }
}

/** What was said of the answer so far. */
interface Told {
  responseId?: string
  model?: string
  stopReason?: NonNullable<AnswerParts['stopReason']>
  usage?: Usage
  isDone?: boolean
}

function lingerOf({ stopReason, usage, isDone }: Told): number | undefined {
  if (isDone === true || (stopReason !== undefined && usage !== undefined)) return linger.complete
  return stopReason === undefined ? undefined : linger.finished
}

function take(told: Told, parts: AnswerParts, model: Model): void {
  if (parts.usage) told.usage = usageOf(parts.usage, model)
  if (parts.responseId) told.responseId ??= parts.responseId
  if (parts.model) told.model = parts.model
  if (parts.stopReason) told.stopReason = parts.stopReason
  if (parts.done) told.isDone = true
}

function write({ text, thinking, toolCalls }: AnswerParts, writer: AnswerWriter, calls: ToolCallReader): void {
  writer.thinking(thinking ?? '')
  writer.text(text ?? '')
  for (const { index, id, name, arguments: args } of toolCalls ?? []) {
    calls.read({ index, id, function: { name, arguments: args } })
  }
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
  const checked = checkAnswerParts(parts)
  if (checked.ok) return checked.value
  throw badParser(`${name} gave parts that do not fit: ${checked.problem}.`)
}

function badParser(message: string, cause?: unknown): Failure {
  return new Failure('provider_error', message, { data: { kind: 'bad_request' }, cause })
}

/** An error that the user's parser did not look for is no answer all the same. */
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

function usageOf(parts: NonNullable<AnswerParts['usage']>, { prices }: Model): Usage {
  const counts = {
    input: countOf(parts.input),
    output: countOf(parts.output),
    cacheRead: countOf(parts.cacheRead),
    cacheWrite: countOf(parts.cacheWrite),
  }
  const reasoning = countOf(parts.reasoning)
  return {
    ...counts,
    ...(reasoning > 0 ? { reasoning } : {}),
    totalTokens: counts.input + counts.output + counts.cacheRead + counts.cacheWrite,
    cost: usageCost(counts, prices),
  }
}
