// Builds one assistant message from its deltas.
// Guarantees: a delta that fits no block is a failure, never a guess.
import { asyncScheduler } from 'rxjs'
import type { AssistantDelta, BlockDelta, MessageDelta, PieceDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import { foldMessage, createPieceJoiner } from '../../streams/messages/fold-message.ts'
import type { AssistantContent, AssistantMessage, StopReason, Usage } from '../../streams/messages/message.ts'
import { noUsage } from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'
import { pricedUsage } from '../../streams/models/price-usage.ts'
import { createCallRegister } from './call-register.ts'
import type { CallRegister, CallStart } from './call-register.ts'
import { maxArgumentDepth, parseToolArguments } from '../../streams/messages/parse-tool-arguments.ts'
import { checkAssistantDelta } from '../../streams/validation/validators.ts'
import { findJsonProblem, isDeeperThan, jsonText } from '../../streams/values/json.ts'
import { notADelta, invalidDelta } from '../../streams/messages/delta.ts'

export interface MessageBuilder {
  /** The stop reason of `done`; undefined before it. */
  readonly stopReason: StopReason | undefined
  /** If all are refused, the answer has more blocks than a message takes: it ends here, by stop reason `length`. */
  readonly calls: Pick<CallRegister, 'areAllRefused' | 'refusalOf'>
  /** The message without content, for `message_start`. */
  empty(): AssistantMessage
  /** The delta for the event, undefined if it has none, or the failure of a delta that does not fit. */
  add(delta: AssistantDelta): MessageDelta | undefined | Failure
  /** The provider has reported a count that no answer can have: the cost stays unknown. */
  distrustUsage(): void
  /** The message as it ends. A call that was cut keeps its text as `argumentsText` and has `arguments: {}`. */
  finish(stopReason: StopReason, failure?: Failure): AssistantMessage
}

type Piece = Extract<BlockDelta, { text: string }>
type Mark = Exclude<BlockDelta, Piece>
type Note = Exclude<AssistantDelta, BlockDelta>

interface Block {
  readonly piece: Piece['type']
  /** UTF-16 units so far: the next piece's offset. */
  length: number
  open: boolean
}

/** UTF-16 units of all blocks together. No model writes as much, and an endless answer would take all memory. */
const maxAnswerLength = 32 * 1024 * 1024
/** Each block copies the list of those before it. */
const maxBlocks = 10_000
const tooManyBlocksRefusal = `The answer has more than ${maxBlocks} blocks and was cut off there; none of its calls was run. Send fewer at once.`
const notOpen = 'whose block is not open'

/** `startedAt` is the time of the request; it becomes the message's timestamp. */
export function createMessageBuilder(model: Model, startedAt: number): MessageBuilder {
  const blocks: Block[] = []
  const [calls, pieces, pricing] = [createCallRegister(), createPieceJoiner(), usagePricing(model)]
  let length = 0
  let message = emptyMessage(model, startedAt)
  let stopReason: StopReason | undefined

  const fold = (...marks: readonly MessageDelta[]): void => {
    for (const each of [...pieces.take(), ...marks]) message = foldMessage(message, each)
  }
  const addPiece = (piece: Piece): MessageDelta | Failure => {
    const { type, contentIndex, text } = piece
    const block = blocks[contentIndex]
    if (block?.open !== true || block.piece !== type) return invalidDelta(piece, notOpen)
    if (typeof text !== 'string' || typeof contentIndex !== 'number') return notADelta(piece)
    length += text.length || 1
    if (length > maxAnswerLength) return tooLongFailure()
    const placed = { type, contentIndex, offset: block.length, text }
    block.length += text.length
    pieces.add(placed satisfies PieceDelta)
    return placed
  }
  const addMark = (mark: Mark): MessageDelta | Failure => {
    const problem = applyMark(blocks, mark)
    if (problem !== undefined) return invalidDelta(mark, problem)
    fold(mark)
    return mark
  }
  return {
    get stopReason() {
      return stopReason
    },
    calls,
    empty: () => ({ ...message, content: [] }),
    add: (delta) => {
      if (stopReason !== undefined) return invalidDelta(delta, 'which came after done')
      if (isPiece(delta)) return addPiece(delta)
      const own = checkMark(delta, calls)
      if (own instanceof Failure) return own
      if ('contentIndex' in own) return cutAtLimit(blocks, own, calls) ? undefined : addMark(own)
      message = applyNote(message, own, pricing.price)
      if (own.type === 'done') stopReason = own.stopReason
      return undefined
    },
    distrustUsage: pricing.distrust,
    finish: (reason, failure) => {
      fold()
      return finishMessage(message, reason, failure)
    },
  }
}

interface UsagePricing {
  price(usage: Usage): Usage
  /** From here on the usage stays as it is. */
  distrust(): void
}

function usagePricing({ prices }: Model): UsagePricing {
  let isTrusted = true
  return {
    price: (usage) => (isTrusted ? pricedUsage(usage, prices) : usage),
    distrust: () => {
      isTrusted = false
    },
  }
}

function emptyMessage({ api, provider, id }: Model, timestamp: number): AssistantMessage {
  const nothing = { content: [], usage: noUsage, stopReason: 'stop' as const }
  return { role: 'assistant', api, provider, model: id, ...nothing, timestamp }
}

function finishMessage(
  message: AssistantMessage,
  stopReason: StopReason,
  failure: Failure | undefined,
): AssistantMessage {
  const isCut = stopReason === 'error' || stopReason === 'aborted'
  return {
    ...message,
    content: isCut ? message.content : message.content.map(closeBlock),
    stopReason,
    ...(failure === undefined ? {} : { errorMessage: failure.message }),
    durationMs: Math.max(0, asyncScheduler.now() - message.timestamp), // the system's clock may have been set back
  }
}

function applyNote(message: AssistantMessage, delta: Note, priceOf: (usage: Usage) => Usage): AssistantMessage {
  if (delta.type === 'warning') return message
  if (delta.type !== 'start') return { ...message, usage: priceOf(delta.usage) }
  const { responseId, model } = delta
  return {
    ...message,
    ...(responseId === undefined ? {} : { responseId }),
    ...(model === undefined || model === message.model ? {} : { responseModel: model }),
  }
}

const pieceOf = {
  text_start: 'text_delta',
  text_end: 'text_delta',
  thinking_start: 'thinking_delta',
  thinking_end: 'thinking_delta',
  toolcall_start: 'toolcall_delta',
  toolcall_end: 'toolcall_delta',
} as const satisfies Record<Mark['type'], Piece['type']>

/** Refuses the calls of a message that is full; true if the mark would open one block more. */
function cutAtLimit(blocks: readonly Block[], mark: Mark, calls: CallRegister): boolean {
  if (calls.count === 0 || blocks.length < maxBlocks || !mark.type.endsWith('_start')) return false
  calls.refuseAll(tooManyBlocksRefusal)
  return true
}

/** Opens or closes a block; returns the problem if it cannot. */
function applyMark(blocks: Block[], mark: Mark): string | undefined {
  const piece = pieceOf[mark.type]
  const block = blocks[mark.contentIndex]
  if (mark.type.endsWith('_start')) {
    if (mark.contentIndex !== blocks.length) return `but the next block is ${blocks.length}`
    if (blocks.length === maxBlocks) return `but an answer has at most ${maxBlocks} blocks`
    blocks.push({ piece, length: 0, open: true })
    return undefined
  }
  if (block?.open !== true || block.piece !== piece) return notOpen
  block.open = false
  return undefined
}

function tooLongFailure(): Failure {
  const message = 'The answer is longer than 32 Mi characters; it is cut off there'
  return new Failure('provider_error', message, { data: { kind: 'bad_request' } })
}

/** A provider may be untyped. Every delta that is not a piece is checked by its schema. */
function isPiece(value: unknown): value is Piece {
  return typeof value === 'object' && value !== null && 'text' in value
}

/** The delta with an id of its own, or the failure of an invalid delta. */
function checkMark(delta: Mark | Note, calls: CallRegister): Mark | Note | Failure {
  const own = isCall(delta) ? calls.add(delta) : delta
  const checked = checkAssistantDelta(own)
  if (!checked.ok) return notADelta(delta, checked.problem)
  const flat = flattenArguments(own)
  const problem = argumentsProblem(flat)
  return problem === undefined ? flat : notADelta(delta, problem)
}

function argumentsProblem(delta: Mark | Note): string | undefined {
  const problem = delta.type === 'toolcall_end' ? findJsonProblem(delta.arguments) : undefined
  return problem === undefined ? undefined : `/arguments: ${problem}`
}

function isCall(value: unknown): value is CallStart {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'toolcall_start'
}

/** Keeps arguments that are nested too deeply as text, which is no cause to lose the answer. */
function flattenArguments(delta: Mark | Note): Mark | Note {
  if (delta.type !== 'toolcall_end' || !isDeeperThan(delta.arguments, maxArgumentDepth)) return delta
  return { ...delta, arguments: {}, argumentsText: delta.argumentsText ?? jsonText(delta.arguments) }
}

/** Parses the arguments of a call that the provider did not close, although the answer is complete. */
function closeBlock(block: AssistantContent): AssistantContent {
  if (block.type !== 'toolCall' || block.argumentsText === undefined) return block
  const { argumentsText, ...call } = block
  return { ...call, ...parseToolArguments(argumentsText) }
}
