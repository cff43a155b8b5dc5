// What one answer has become so far; a delta that fits nothing is a failure, never a guess.
import { asyncScheduler } from 'rxjs'
import type { AssistantDelta, BlockDelta, MessageDelta, PieceDelta } from '../streams/delta.ts'
import { Failure } from '../streams/failure.ts'
import { foldMessage } from '../streams/fold-message.ts'
import type { AssistantContent, AssistantMessage, StopReason } from '../streams/message.ts'
import { noUsage } from '../streams/message.ts'
import type { Model } from '../streams/model.ts'
import { parseToolArguments } from '../streams/parse-tool-arguments.ts'
import { pieceJoiner } from '../streams/piece-joiner.ts'

export interface MessageAssembly {
  /** What `done` said; undefined before it. */
  readonly stopReason: StopReason | undefined
  /** The message without content, for `message_start`. */
  empty(): AssistantMessage
  /** The delta as events carry it, undefined where it is not for them, or why it fits nothing. */
  add(delta: AssistantDelta): MessageDelta | undefined | Failure
  /** The message as it ends. A call that was cut keeps its text as `argumentsText` and has `arguments: {}`. */
  finish(stopReason: StopReason, failure?: Failure): AssistantMessage
}

type Piece = Extract<BlockDelta, { text: string }>
type Mark = Exclude<BlockDelta, Piece>

interface Block {
  readonly piece: Piece['type']
  /** UTF-16 units so far: the next piece's offset. */
  length: number
  open: boolean
}

/** UTF-16 units of all blocks together; no model says as much, and a server that never stops would take all memory. */
const longestAnswer = 32 * 1024 * 1024

export function messageAssembly(model: Model): MessageAssembly {
  const startedAt = asyncScheduler.now()
  const blocks: Block[] = []
  const callIds = new Set<string>()
  const pieces = pieceJoiner()
  let length = 0
  let message = emptyMessage(model, startedAt)
  let stopReason: StopReason | undefined

  const fold = (mark?: MessageDelta): void => {
    for (const piece of pieces.take()) message = foldMessage(message, piece)
    if (mark !== undefined) message = foldMessage(message, mark)
  }
  const addPiece = (piece: Piece): MessageDelta | Failure => {
    const block = blocks[piece.contentIndex]
    if (block?.open !== true || block.piece !== piece.type) return unfit(piece, 'whose block is not open')
    length += piece.text.length
    if (length > longestAnswer) return tooLong()
    const placed = { type: piece.type, contentIndex: piece.contentIndex, offset: block.length, text: piece.text }
    block.length += piece.text.length
    pieces.add(placed satisfies PieceDelta)
    return placed
  }
  const addMark = (delta: Mark): MessageDelta | Failure => {
    const mark = delta.type === 'toolcall_start' ? withOwnId(delta, callIds) : delta
    const problem = place(blocks, mark)
    if (problem !== undefined) return unfit(mark, problem)
    fold(mark)
    return mark
  }
  return {
    get stopReason() {
      return stopReason
    },
    empty: () => ({ ...message, content: [] }),
    add: (delta) => {
      if (stopReason !== undefined) return unfit(delta, 'came after done')
      if ('text' in delta) return addPiece(delta)
      if ('contentIndex' in delta) return addMark(delta)
      message = noted(message, delta)
      if (delta.type === 'done') stopReason = delta.stopReason
      return undefined
    },
    finish: (reason, failure) => {
      fold()
      return finished(message, reason, failure)
    },
  }
}

function emptyMessage({ api, provider, id }: Model, timestamp: number): AssistantMessage {
  const nothing = { content: [], usage: noUsage, stopReason: 'stop' as const }
  return { role: 'assistant', api, provider, model: id, ...nothing, timestamp }
}

function finished(message: AssistantMessage, stopReason: StopReason, failure: Failure | undefined): AssistantMessage {
  const isCut = stopReason === 'error' || stopReason === 'aborted'
  return {
    ...message,
    content: isCut ? message.content : message.content.map(closedBlock),
    stopReason,
    ...(failure === undefined ? {} : { errorMessage: failure.message }),
    durationMs: asyncScheduler.now() - message.timestamp,
  }
}

function noted(message: AssistantMessage, delta: Exclude<AssistantDelta, BlockDelta>): AssistantMessage {
  if (delta.type !== 'start') return { ...message, usage: delta.usage }
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

/** Opens or closes a block; says why where it cannot. */
function place(blocks: Block[], mark: Mark): string | undefined {
  const piece = pieceOf[mark.type]
  const block = blocks[mark.contentIndex]
  if (mark.type.endsWith('_start')) {
    if (mark.contentIndex !== blocks.length) return `where block ${blocks.length} is next`
    blocks.push({ piece, length: 0, open: true })
    return undefined
  }
  if (block?.open !== true || block.piece !== piece) return 'whose block is not open'
  block.open = false
  return undefined
}

function unfit(delta: AssistantDelta, why: string): Failure {
  const block = 'contentIndex' in delta ? ` for block ${delta.contentIndex}` : ''
  const message = `The provider sent ${delta.type}${block}, ${why}`
  return new Failure('provider_error', message, { data: { kind: 'network' } })
}

function tooLong(): Failure {
  const message = 'The answer is longer than 32 Mi characters; what came up to there is kept'
  return new Failure('provider_error', message, { data: { kind: 'bad_request' } })
}

/** Results are matched to calls by id: a second call with the same id in one message gets one of its own. */
function withOwnId(delta: Extract<BlockDelta, { type: 'toolcall_start' }>, known: Set<string>): typeof delta {
  let id = delta.id === '' ? `call_${known.size + 1}` : delta.id
  while (known.has(id)) id = `${delta.id}_${known.size + 1}`
  known.add(id)
  return id === delta.id ? delta : { ...delta, id }
}

/** A call whose provider did not close it, though the answer is complete, is parsed now. */
function closedBlock(block: AssistantContent): AssistantContent {
  if (block.type !== 'toolCall' || block.argumentsText === undefined) return block
  const { argumentsText, ...call } = block
  return { ...call, ...parseToolArguments(argumentsText) }
}
