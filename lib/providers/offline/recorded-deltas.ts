// A recorded answer becomes the deltas that would assemble it again, signatures and cut arguments included.
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { AssistantContent, AssistantMessage, ToolCall } from '../../streams/messages/message.ts'
import { textPieces } from '../adapter/text-pieces.ts'

export interface RecordedDeltasOptions {
  /** Told in a block of thinking before the answer, so that whoever looks sees it and the answer stays what it was. */
  readonly remark?: string | undefined
  /** UTF-16 units of a delta. Default 20: what a fast model sends at a time. */
  readonly pieceLength?: number | undefined
}

/** The answer's blocks; of one that was whole also its end. */
export function* recordedDeltas(
  { content, responseId, stopReason, usage }: AssistantMessage,
  { remark, pieceLength = 20 }: RecordedDeltasOptions = {},
): Generator<AssistantDelta> {
  yield { type: 'start', ...(responseId === undefined ? {} : { responseId }) }
  const remarks: AssistantContent[] = remark === undefined ? [] : [{ type: 'thinking', thinking: remark }]
  for (const [index, block] of [...remarks, ...content].entries()) yield* blockDeltas(block, index, pieceLength)
  if (stopReason === 'error') return
  yield { type: 'done', stopReason: stopReason === 'aborted' ? 'stop' : stopReason, usage }
}

function* blockDeltas(block: AssistantContent, contentIndex: number, pieceLength: number): Generator<AssistantDelta> {
  switch (block.type) {
    case 'text':
      yield { type: 'text_start', contentIndex }
      for (const text of textPieces(block.text, pieceLength)) yield { type: 'text_delta', contentIndex, text }
      yield { type: 'text_end', contentIndex, ...signed(block.textSignature) }
      break
    case 'thinking':
      yield { type: 'thinking_start', contentIndex, ...(block.redacted === true ? { redacted: true } : {}) }
      for (const text of textPieces(block.thinking, pieceLength)) yield { type: 'thinking_delta', contentIndex, text }
      yield { type: 'thinking_end', contentIndex, ...signed(block.thinkingSignature) }
      break
    case 'toolCall':
      yield* callDeltas(block, contentIndex, pieceLength)
  }
}

function* callDeltas(call: ToolCall, contentIndex: number, pieceLength: number): Generator<AssistantDelta> {
  const { id, name, arguments: args, argumentsText, thoughtSignature } = call
  yield { type: 'toolcall_start', contentIndex, id, name }
  for (const text of textPieces(argumentsText ?? JSON.stringify(args), pieceLength)) {
    yield { type: 'toolcall_delta', contentIndex, text }
  }
  const parsed = argumentsText === undefined ? { arguments: args } : { arguments: args, argumentsText }
  yield { type: 'toolcall_end', contentIndex, ...parsed, ...signed(thoughtSignature) }
}

function signed(signature: string | undefined): { signature?: string } {
  return signature === undefined ? {} : { signature }
}
