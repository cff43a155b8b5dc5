// The history that every adapter starts from: each call is followed by exactly one result, and nothing stands there that no API takes.
import type {
  AssistantMessage,
  Message,
  ToolResultMessage,
  UserMessage,
  ImageContent,
  UserContent,
} from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'

/** What is left: custom roles are gone. */
export type HistoryMessage = UserMessage | AssistantMessage | ToolResultMessage

/**
 * The messages in an order that every API takes (docs/loop.md#33): an assistant's results stand right behind it, in call order; a
 * call without one gets a synthetic result; results without a call, messages without content and custom roles are left
 * out. Ids repeated by later answers do no harm: a result belongs to the nearest answer before it. Linear.
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

/** One answer and what followed it; only the first segment may have no answer. Copies nothing: it is done for the whole history with each request. */
function addSegment(history: HistoryMessage[], messages: readonly Message[], start: number, end: number): void {
  const answer = messages[start]
  if (answer?.role === 'assistant' && saysSomething(answer)) {
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
    if (call.type === 'toolCall') history.push(results.get(call.id) ?? missingResult(call, answer.timestamp))
  }
}

function isToolResult(message: Message): message is ToolResultMessage {
  const role: string = message.role // custom roles come by declaration merging: the compiler does not know them here
  return role === 'toolResult'
}

/** Thinking alone is something only where the answer came to its end: half a thought cannot be sent back. */
function saysSomething({ content, stopReason }: AssistantMessage): boolean {
  const cut = stopReason === 'error' || stopReason === 'aborted'
  return content.some((block) => {
    if (block.type === 'text') return /\S/.test(block.text) // looks no further than the first word
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

// An image that cannot be shown to a model is named in its place; nothing is left out in silence.

/** An image whose data is at hand. */
type ShownImage = ImageContent & { readonly data: string }

/** The image, where the part is one that this model can be shown. `types`: what the API takes; default all. */
export function imageForModel(part: UserContent, model: Model, types?: readonly string[]): ShownImage | undefined {
  if (part.type !== 'image' || part.data === undefined || !model.inputs.includes('image')) return undefined
  if (types !== undefined && !types.includes(part.mimeType)) return undefined
  return { ...part, data: part.data }
}

/** The part's text, well formed; of an image what it is and why it is not shown. */
export function partText(part: UserContent, model: Model): string {
  if (part.type === 'text') return part.text.toWellFormed()
  if (part.data === undefined) return `[an image (${part.mimeType}) that is no longer at hand]`
  if (!model.inputs.includes('image')) return `[an image (${part.mimeType}); this model takes text only]`
  return `[an image (${part.mimeType}) of a type that this model does not take]`
}
