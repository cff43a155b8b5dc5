// Makes a history well formed: every call has one result, and every result a call.
// Exactly one result follows each call, and only standard messages remain.
import type {
  AssistantMessage,
  Message,
  ToolResultMessage,
  UserMessage,
  ImageContent,
  UserContent,
} from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'

/** A message of a standard role. */
export type HistoryMessage = UserMessage | AssistantMessage | ToolResultMessage

/**
 * Returns the messages in an order that every API accepts (docs/loop.md#33). An assistant's results follow it directly,
 * in call order. A call without a result gets a synthetic one. Results without a call, empty messages and custom roles
 * are left out. A result has the name of its call, also of one through `use_tool`. If answers repeat an id, a result
 * belongs to the nearest answer before it. Takes linear time.
 */
export function wellFormedHistory(messages: readonly Message[]): readonly HistoryMessage[] {
  const history: HistoryMessage[] = []
  for (let start = 0; start < messages.length;) {
    const end = nextAnswer(messages, start + 1)
    addSegment(history, messages, start, end)
    start = end
  }
  return history
}

function nextAnswer(messages: readonly Message[], from: number): number {
  let index = from
  while (index < messages.length && messages[index]?.role !== 'assistant') index++
  return index
}

/**
 * Adds one answer and the messages up to the next one. Only the first segment can lack an answer. Copies nothing,
 * because each request converts the whole history.
 */
function addSegment(history: HistoryMessage[], messages: readonly Message[], start: number, end: number): void {
  const answer = messages[start]
  if (answer?.role === 'assistant' && hasContent(answer)) {
    history.push(answer)
    if (answer.content.some(({ type }) => type === 'toolCall')) addResults(history, answer, messages.slice(start, end))
  }
  for (let index = start; index < end; index++) {
    const message = messages[index]
    if (message?.role === 'user' && message.content.length > 0) history.push(message)
  }
}

function addResults(history: HistoryMessage[], answer: AssistantMessage, segment: readonly Message[]): void {
  const results = new Map<string, ToolResultMessage>()
  for (const message of segment) {
    if (isToolResult(message) && !results.has(message.toolCallId)) results.set(message.toolCallId, message)
  }
  for (const call of answer.content) {
    if (call.type !== 'toolCall') continue
    const result = results.get(call.id) ?? missingResult(call, answer.timestamp)
    history.push(result.toolName === call.name ? result : { ...result, toolName: call.name })
  }
}

function isToolResult(message: Message): message is ToolResultMessage {
  const role: string = message.role // custom roles come by declaration merging, which the compiler does not see here
  return role === 'toolResult'
}

/** Thinking alone counts only if the answer is complete: an API rejects half a thought. */
function hasContent({ content, stopReason }: AssistantMessage): boolean {
  const cut = stopReason === 'error' || stopReason === 'aborted'
  return content.some((block) => {
    if (block.type === 'text') return /\S/.test(block.text) // stops at the first word
    return block.type === 'toolCall' || !cut
  })
}

function missingResult(call: { readonly id: string; readonly name: string }, timestamp: number): ToolResultMessage {
  const text = 'No result: the call was interrupted, or its result is no longer in the context.'
  return {
    role: 'toolResult',
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: 'text', text }],
    isError: true,
    timestamp,
  }
}

/** An image with its data. */
type ShownImage = ImageContent & { readonly data: string }

/** Returns the image if the model accepts it. @param types image types of the API; default: all */
export function imageForModel(part: UserContent, model: Model, types?: readonly string[]): ShownImage | undefined {
  if (part.type !== 'image' || part.data === undefined || !model.inputs.includes('image')) return undefined
  if (types !== undefined && !types.includes(part.mimeType)) return undefined
  return { ...part, data: part.data }
}

/** Returns the part's text, well formed. For an image it returns its type and why the model does not get it. */
export function partText(part: UserContent, model: Model): string {
  if (part.type === 'text') return part.text.toWellFormed()
  if (part.data === undefined) return `[an image (${part.mimeType}) that is no longer available]`
  if (!model.inputs.includes('image')) return `[an image (${part.mimeType}); this model supports text only]`
  return `[an image (${part.mimeType}) of a type that this model does not support]`
}
