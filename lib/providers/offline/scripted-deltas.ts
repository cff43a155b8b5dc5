// A scripted answer becomes the deltas that a real provider would send, made one by one as they are asked for.
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { Usage } from '../../streams/messages/message.ts'
import { parseToolArguments } from '../../streams/messages/parse-tool-arguments.ts'
import type { ProviderRequest } from '../../streams/ports/provider.ts'
import type { ScriptedAnswer, ScriptedCall } from '../../streams/config/script-file.ts'
import { textPieces } from '../adapter/text-pieces.ts'
import { usageCost } from '../adapter/usage-cost.ts'

/** The deltas of one answer, without `done` where it fails or has another `end`. `number` counts requests from 1. */
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
