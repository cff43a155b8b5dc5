// The conversation as the Messages API takes it: roles alternate, results stand first in their turn, nothing is empty.
import type {
  ContentBlockParam,
  ImageBlockParam,
  TextBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages'
import type {
  AssistantContent,
  AssistantMessage,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from '../../streams/messages/message.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'
import { callIdNames } from '../adapter/call-ids.ts'
import type { CallIdNames } from '../adapter/call-ids.ts'
import { partText, shownImage } from '../adapter/well-formed-history.ts'
import { wellFormedHistory } from '../adapter/well-formed-history.ts'

/** A message of blocks; those that were added last may still be changed by their maker. */
export interface MessageOfBlocks {
  readonly role: 'user' | 'assistant'
  readonly content: ContentBlockParam[]
}

/** Letters, digits, `_` and `-`; at most so many. */
const callIdLength = 64
const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const
type ImageType = (typeof imageTypes)[number]

/**
 * The history, well formed, neighbours of one role merged. A model's own thinking is given back with its signature, any
 * other is left out. A conversation that would begin with an answer begins with a note in the user's place.
 */
export function anthropicMessagesHistory(messages: readonly Message[], model: Model): MessageOfBlocks[] {
  const ids = callIdNames(callIdLength)
  const history: MessageOfBlocks[] = []
  for (const message of wellFormedHistory(messages)) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = blocksOf(message, model, ids)
    if (content.length === 0) continue
    const last = history.at(-1)
    if (last?.role === role) last.content.push(...content)
    else history.push({ role, content })
  }
  if (history[0]?.role === 'assistant') history.unshift({ role: 'user', content: [textBlock(earlier)] })
  return history
}

const earlier = '[The conversation began earlier.]'

function blocksOf(
  message: UserMessage | AssistantMessage | ToolResultMessage,
  model: Model,
  ids: CallIdNames,
): ContentBlockParam[] {
  if (message.role === 'toolResult') return [resultBlock(message, model, ids)]
  if (message.role === 'user') return userBlocks(message.content, model)
  const isOwn = message.api === model.api && message.provider === model.provider && message.model === model.id
  return message.content.flatMap((block) => answerBlock(block, isOwn, ids))
}

function userBlocks(content: string | readonly UserContent[], model: Model): (TextBlockParam | ImageBlockParam)[] {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return parts.flatMap((part): (TextBlockParam | ImageBlockParam)[] => {
    const image = shownImage(part, model, imageTypes)
    if (image !== undefined) return [imageBlock(image.mimeType as ImageType, image.data)] // one of `imageTypes`
    const text = partText(part, model)
    return text.trim() === '' ? [] : [textBlock(text)]
  })
}

function answerBlock(block: AssistantContent, isOwn: boolean, ids: CallIdNames): ContentBlockParam[] {
  if (block.type === 'text') return block.text.trim() === '' ? [] : [textBlock(block.text.toWellFormed())]
  if (block.type === 'toolCall') {
    return [{ type: 'tool_use', id: ids.call(block.id), name: block.name, input: block.arguments }]
  }
  if (!isOwn || block.thinkingSignature === undefined) return []
  if (block.redacted === true) return [{ type: 'redacted_thinking', data: block.thinkingSignature }]
  return [{ type: 'thinking', thinking: block.thinking, signature: block.thinkingSignature }]
}

function resultBlock(message: ToolResultMessage, model: Model, ids: CallIdNames): ToolResultBlockParam {
  const content = userBlocks(message.content, model)
  return {
    type: 'tool_result',
    tool_use_id: ids.result(message.toolCallId),
    content: content.length === 0 ? [textBlock('(no output)')] : content,
    ...(message.isError ? { is_error: true } : {}),
  }
}

function textBlock(text: string): TextBlockParam {
  return { type: 'text', text }
}

function imageBlock(type: ImageType, data: string): ImageBlockParam {
  return { type: 'image', source: { type: 'base64', media_type: type, data } }
}
