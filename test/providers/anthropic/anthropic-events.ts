// Builds events of the Messages API, as small as the format allows.

/** One event under its name. */
export function event(value: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`
}

export function messageStart(usage: object = { input_tokens: 3, output_tokens: 1 }): string {
  return event({
    type: 'message_start',
    message: { id: 'msg_1', model: 'served', role: 'assistant', content: [], usage },
  })
}

/** A block with its deltas and its stop. */
export function block(index: number, start: object, ...deltas: readonly object[]): string[] {
  return [
    event({ type: 'content_block_start', index, content_block: start }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ]
}

export function textBlock(index: number, ...pieces: readonly string[]): string[] {
  return block(index, { type: 'text', text: '' }, ...pieces.map((text) => ({ type: 'text_delta', text })))
}

export function thinkingBlock(index: number, signature: string, ...pieces: readonly string[]): string[] {
  const thoughts = pieces.map((thinking) => ({ type: 'thinking_delta', thinking }))
  return block(index, { type: 'thinking', thinking: '', signature: '' }, ...thoughts, {
    type: 'signature_delta',
    signature,
  })
}

export function callBlock(index: number, id: string, name: string, ...pieces: readonly string[]): string[] {
  const json = pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece }))
  return block(index, { type: 'tool_use', id, name, input: {} }, ...json)
}

/** The regular end of an answer. */
export function messageEnd(reason = 'end_turn', more: object = {}): string[] {
  return [
    event({ type: 'message_delta', delta: { stop_reason: reason, ...more }, usage: { output_tokens: 4 } }),
    event({ type: 'message_stop' }),
  ]
}
