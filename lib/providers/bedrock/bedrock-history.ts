// Converts a well-formed history to the messages of Bedrock's ConverseStream; pure.
import type {
  AssistantContent,
  AssistantMessage,
  Message,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'
import { createCallIdNames } from '../adapter/call-ids.ts'
import type { CallIdNames } from '../adapter/call-ids.ts'
import { imageForModel, partText, wellFormedHistory } from '../adapter/well-formed-history.ts'
import type { BedrockCompat } from './bedrock-options.ts'

/** Bytes are base64. Exactly one field is set. */
export interface BedrockBlock {
  readonly text?: string
  readonly image?: { readonly format: string; readonly source: { readonly bytes: string } }
  readonly toolUse?: { readonly toolUseId: string; readonly name: string; readonly input: unknown }
  readonly toolResult?: {
    readonly toolUseId: string
    readonly content: readonly BedrockBlock[]
    readonly status?: 'error'
  }
  readonly reasoningContent?:
    | { readonly reasoningText: { readonly text: string; readonly signature?: string } }
    | { readonly redactedContent: string }
  readonly cachePoint?: { readonly type: 'default' }
}

/** Its creator may still add blocks. */
export interface BedrockMessage {
  readonly role: 'user' | 'assistant'
  readonly content: BedrockBlock[]
}

interface Context {
  readonly model: Model
  readonly compat: BedrockCompat
  readonly ids: CallIdNames
}

/** Letters, digits, `_` and `-`; the maximum length. */
const callIdLength = 64
const formats: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

/**
 * Roles alternate: neighbours of one role are merged, results come first, and neither a message nor a text is blank. A
 * model's own thinking returns with its signature; other thinking is left out. A note of the user precedes a
 * conversation that begins with an answer.
 */
export function bedrockHistory(messages: readonly Message[], model: Model, compat: BedrockCompat): BedrockMessage[] {
  const context = { model, compat, ids: createCallIdNames(callIdLength) }
  const history: BedrockMessage[] = []
  for (const message of wellFormedHistory(messages)) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = blocksOf(message, context)
    if (content.length === 0) continue
    const last = history.at(-1)
    if (last?.role === role) last.content.push(...content)
    else history.push({ role, content })
  }
  if (history[0]?.role === 'assistant') history.unshift({ role: 'user', content: [{ text: earlier }] })
  return history
}

const earlier = '[The conversation began earlier.]'

function blocksOf(message: UserMessage | AssistantMessage | ToolResultMessage, context: Context): BedrockBlock[] {
  const { model } = context
  if (message.role === 'toolResult') return [resultBlock(message, context)]
  if (message.role === 'user') return userBlocks(message.content, model)
  const isOwn = message.api === model.api && message.provider === model.provider && message.model === model.id
  return message.content.flatMap((block) => answerBlock(block, isOwn, context))
}

function userBlocks(content: string | readonly UserContent[], model: Model): BedrockBlock[] {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return parts.flatMap((part): BedrockBlock[] => {
    const image = imageForModel(part, model, Object.keys(formats))
    if (image !== undefined) return [imageBlock(formats[image.mimeType] ?? 'png', image.data)]
    return textBlocks(partText(part, model))
  })
}

function imageBlock(format: string, bytes: string): BedrockBlock {
  return { image: { format, source: { bytes } } }
}

function textBlocks(text: string): BedrockBlock[] {
  return text.trim() === '' ? [] : [{ text: text.toWellFormed() }]
}

function answerBlock(block: AssistantContent, isOwn: boolean, { compat, ids }: Context): BedrockBlock[] {
  if (block.type === 'text') return textBlocks(block.text)
  if (block.type === 'toolCall') {
    return [{ toolUse: { toolUseId: ids.call(block.id), name: block.name, input: withoutEmptyNames(block.arguments) } }]
  }
  const { thinking, thinkingSignature: signature, redacted } = block
  if (!isOwn) return []
  if (redacted === true) return signature ? [{ reasoningContent: { redactedContent: signature } }] : []
  const text = thinking.toWellFormed()
  if (signature) return [{ reasoningContent: { reasoningText: { text, signature } } }]
  return compat.replayThinking && text.trim() !== '' ? [{ reasoningContent: { reasoningText: { text } } }] : []
}

/** The API refuses a document with an empty name. */
function withoutEmptyNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyNames)
  if (typeof value !== 'object' || value === null) return value
  const named = Object.entries(value).filter(([name]) => name !== '')
  return Object.fromEntries(named.map(([name, each]) => [name, withoutEmptyNames(each)]))
}

function resultBlock(message: ToolResultMessage, { model, ids }: Context): BedrockBlock {
  const content = userBlocks(message.content, model)
  return {
    toolResult: {
      toolUseId: ids.result(message.toolCallId),
      content: content.length === 0 ? [{ text: '(no output)' }] : content,
      // models of most makers take no status
      ...(message.isError ? { status: 'error' } : {}),
    },
  }
}
