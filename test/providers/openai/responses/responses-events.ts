// Builds events of the Responses API, as small as the format allows.

type Fields = Readonly<Record<string, unknown>>

/** One event under its name. */
export function event(type: string, fields: Fields = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}

export function response(status: string, more: Fields = {}): Fields {
  return { id: 'resp_1', object: 'response', model: 'served', status, ...more }
}

export const created = event('response.created', { response: response('in_progress') })

/** An item with its pieces and its end; `pieces` are the types and fields of the deltas. */
export function item(index: number, whole: Fields, ...pieces: readonly Fields[]): string[] {
  return [
    event('response.output_item.added', { output_index: index, item: { ...whole, status: 'in_progress' } }),
    ...pieces.map(({ type, ...fields }) => event(String(type), { output_index: index, ...fields })),
    event('response.output_item.done', { output_index: index, item: { ...whole, status: 'completed' } }),
  ]
}

export function textPiece(delta: string): Fields {
  return { type: 'response.output_text.delta', content_index: 0, delta }
}

export function textItem(index: number, text: string, more: Fields = {}): string[] {
  const content = [{ type: 'output_text', text, annotations: [] }]
  return item(index, { type: 'message', role: 'assistant', content, ...more }, textPiece(text))
}

export function summaryPiece(delta: string, part = 0): Fields {
  return { type: 'response.reasoning_summary_text.delta', summary_index: part, delta }
}

export function reasoningItem(index: number, encrypted: string | undefined, ...parts: readonly string[]): string[] {
  const summary = parts.map((text) => ({ type: 'summary_text', text }))
  const whole = { type: 'reasoning', id: `rs_${index}`, summary, ...(encrypted && { encrypted_content: encrypted }) }
  return item(index, whole, ...parts.map((text, part) => summaryPiece(text, part)))
}

export function callItem(index: number, id: string, name: string, ...pieces: readonly string[]): string[] {
  const whole = { type: 'function_call', id: `fc_${index}`, call_id: id, name, arguments: pieces.join('') }
  return item(index, whole, ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', delta })))
}

export const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 }

/** The regular end of an answer. */
export function completed(more: Fields = {}): string {
  return event('response.completed', { response: response('completed', { usage, ...more }) })
}
