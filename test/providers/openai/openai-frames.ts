// Converts the parts of an answer to chat completion frames, for the provider contract.
import type { AnswerPart } from '../../contract/provider-contract.ts'
import { callChunk, chunk, ending, frame, textChunk } from './openai-chunks.ts'

/** The frames without the end. */
export function completionFrames(output: readonly AnswerPart[]): string[] {
  let calls = 0
  return output.flatMap((part) => {
    if ('thinking' in part) return [chunk({ reasoning_content: part.thinking })]
    if ('text' in part) return [textChunk(part.text)]
    if ('noise' in part) return [part.noise === 'keepAlive' ? ': keep-alive\n\n' : unknown]
    const index = calls++
    return part.pieces.map((piece, n) => callChunk(index, piece, n === 0 ? { id: part.call, name: part.name } : {}))
  })
}

export function completionEnding(output: readonly AnswerPart[]): string {
  return ending(output.some((part) => 'call' in part) ? 'tool_calls' : 'stop')
}

export const garbageFrame = 'data: {"choices": [{"delta"\n\n'

const unknown = `event: vendor.news\nid: 7\nretry: 10\n${frame({ id: 'x', choices: [], vendor_field: { a: [1] } })}`
