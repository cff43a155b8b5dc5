// Converts the parts of an answer to chunks of Mistral's API, for the provider contract.
import type { AnswerPart } from '../../contract/provider-contract.ts'
import { callChunk, chunk, done, frame, textChunk } from '../openai/openai-chunks.ts'

/** A delta whose content is one thinking part. */
export function thinkingChunk(text: string): string {
  return chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }], closed: true }] })
}

/** The frames without the end. */
export function mistralFrames(output: readonly AnswerPart[]): string[] {
  let calls = 0
  return output.flatMap((part) => {
    if ('thinking' in part) return [thinkingChunk(part.thinking)]
    if ('text' in part) return [textChunk(part.text)]
    if ('noise' in part) return [part.noise === 'keepAlive' ? ': keep-alive\n\n' : unknown]
    const index = calls++
    return part.pieces.map((piece, n) => callChunk(index, piece, n === 0 ? { id: part.call, name: part.name } : {}))
  })
}

/** The API reports the usage in the chunk with the finish reason. */
export function mistralEnding(reason = 'stop', usage: object = { prompt_tokens: 3, completion_tokens: 4 }): string {
  const choices = [{ index: 0, delta: { content: '' }, finish_reason: reason }]
  return frame({ id: 'cmpl-1', object: 'chat.completion.chunk', model: 'served', choices, usage }) + done
}

const unknown = `event: vendor.news\n${frame({ id: 'x', choices: [], p: 'abc' })}`
