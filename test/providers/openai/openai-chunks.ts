// Builds chunks of a chat completion, as small as the format allows.

/** One chunk with this delta; `more` are fields of the choice. */
export function chunk(delta: object, more: object = {}): string {
  return frame({
    id: 'chatcmpl-1',
    model: 'served',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, ...more }],
  })
}

export function textChunk(content: string): string {
  return chunk({ content })
}

/** The first piece of a call if `id` and `name` are set, else a later one. */
export function callChunk(index: number, argumentsText: string, first: { id?: string; name?: string } = {}): string {
  const { id, name } = first
  const named = { ...(id === undefined ? {} : { id }), type: 'function' }
  return chunk({ tool_calls: [{ index, ...named, function: { ...(name && { name }), arguments: argumentsText } }] })
}

export function finishChunk(reason: string): string {
  return chunk({}, { finish_reason: reason })
}

export function usageChunk(prompt = 3, completion = 4): string {
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
  return frame({ id: 'chatcmpl-1', model: 'served', choices: [], usage })
}

export const done = 'data: [DONE]\n\n'

/** The regular end of an answer. */
export function ending(reason = 'stop'): string {
  return finishChunk(reason) + usageChunk() + done
}

export function frame(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}
