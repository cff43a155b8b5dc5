// Converts scripted and recorded answers to the deltas of a real provider, lazily.
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { Usage, AssistantContent, AssistantMessage, ToolCall } from '../../streams/messages/message.ts'
import { parseToolArguments } from '../../streams/messages/parse-tool-arguments.ts'
import type { ProviderRequest } from '../../streams/ports/provider.ts'
import type { ScriptedAnswer, ScriptedCall } from '../../streams/config/script-file.ts'
import { usageCost } from '../../streams/models/price-usage.ts'

/**
 * Yields the deltas of one answer, without `done` if it fails or has another `end`. `number` counts requests from 1.
 */
export function* scriptedDeltas(
  answer: ScriptedAnswer,
  request: Pick<ProviderRequest, 'model'>,
  number: number,
): Generator<AssistantDelta> {
  const length = answer.pieceLength ?? 0
  const calls = answer.toolCalls ?? []
  let contentIndex = 0
  yield { type: 'start', responseId: `scripted_${number}`, model: request.model.id }
  if (answer.thinking !== undefined) yield* thinkingBlock(contentIndex++, answer.thinking, length)
  if (answer.text !== undefined) yield* textBlock(contentIndex++, answer.text, length)
  for (const [index, call] of calls.entries()) {
    yield* callBlock(contentIndex++, call, { id: `call_${number}_${index + 1}`, length })
  }
  if (answer.error !== undefined || answer.end !== undefined) return
  const stopReason = answer.stopReason ?? (calls.length > 0 ? 'toolUse' : 'stop')
  yield { type: 'done', stopReason, usage: scriptedUsage(answer, request) }
}

function* thinkingBlock(
  contentIndex: number,
  thinking: string | readonly string[],
  length: number,
): Generator<AssistantDelta> {
  yield { type: 'thinking_start', contentIndex }
  for (const text of piecesOf(thinking, length)) yield { type: 'thinking_delta', contentIndex, text }
  yield { type: 'thinking_end', contentIndex }
}

function* textBlock(
  contentIndex: number,
  content: string | readonly string[],
  length: number,
): Generator<AssistantDelta> {
  yield { type: 'text_start', contentIndex }
  for (const text of piecesOf(content, length)) yield { type: 'text_delta', contentIndex, text }
  yield { type: 'text_end', contentIndex }
}

function* callBlock(
  contentIndex: number,
  call: ScriptedCall,
  { id, length }: { id: string; length: number },
): Generator<AssistantDelta> {
  const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {})
  yield { type: 'toolcall_start', contentIndex, id: call.id ?? id, name: call.name }
  for (const piece of textPieces(text, length)) yield { type: 'toolcall_delta', contentIndex, text: piece }
  yield { type: 'toolcall_end', contentIndex, ...parseToolArguments(text) }
}

function piecesOf(content: string | readonly string[], length: number): Iterable<string> {
  return typeof content === 'string' ? textPieces(content, length) : content
}

function scriptedUsage(answer: ScriptedAnswer, request: Pick<ProviderRequest, 'model'>): Usage {
  const counts = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...answer.usage }
  const totalTokens = counts.input + counts.output + counts.cacheRead + counts.cacheWrite
  return { ...counts, totalTokens, cost: usageCost(counts, request.model.prices) }
}

export interface RecordedDeltasOptions {
  /** A remark in a thinking block before the answer; it leaves the answer unchanged. */
  readonly remark?: string | undefined
  /** UTF-16 units in a delta. Default 20, as from a fast model. */
  readonly pieceLength?: number | undefined
}

/** Yields the blocks of the answer, and its end if it is complete. */
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

/**
 * Yields the text in pieces of `length` UTF-16 units; 0 = one piece. A piece is one unit longer if it would split a
 * surrogate pair. Yields nothing for ''.
 */
export function* textPieces(text: string, length: number): Generator<string> {
  let start = 0
  while (start < text.length) {
    const end = length === 0 ? text.length : pieceEnd(text, start + length)
    yield text.slice(start, end)
    start = end
  }
}

function pieceEnd(text: string, end: number): number {
  const last = text.charCodeAt(end - 1)
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff
  return isHighSurrogate ? end + 1 : end
}
