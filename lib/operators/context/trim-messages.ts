// The oldest tool results are the least read and the longest: they become a line each, while their calls stay.
import type { ContextTransform } from '../../streams/ports/agent-context.ts'
import type { Message, ToolResultMessage, UserContent, AssistantMessage } from '../../streams/messages/message.ts'
import { changeMessages, mapShared, requireCount, startOfLast } from './change-messages.ts'

export interface PruneToolResultsOptions {
  /** So many of the latest results stay whole. */
  readonly keep: number
  /** Results with less text than this stay whole too, if they hold no image. UTF-16 units. Default 500. */
  readonly minLength?: number
}

/**
 * Puts a line that says what was there in place of the content of all but the last `keep` tool results. Results that the
 * model has not answered to yet always stay: it would ask for them again. Their calls, `isError` and all other messages
 * stay as they are.
 *
 * Ends and fails with its source; buffers nothing. With every new result one more is left out, and the provider's prompt
 * cache is of use up to there only.
 * @throws Failure `bad_request` for an option that is no count
 */
export function pruneToolResults({ keep, minLength = 500 }: PruneToolResultsOptions): ContextTransform {
  requireCount('pruneToolResults: keep', keep)
  requireCount('pruneToolResults: minLength', minLength)
  return changeMessages((messages) => {
    const end = Math.min(startOfLast(messages, 'toolResult', keep), lastAnswer(messages))
    return mapShared(messages, (message, index) => {
      return index < end && message.role === 'toolResult' ? pruned(message, minLength) : message
    })
  })
}

function lastAnswer(messages: readonly Message[]): number {
  return startOfLast(messages, 'assistant', 1)
}

function pruned(message: ToolResultMessage, minLength: number): ToolResultMessage {
  let length = 0
  let images = 0
  for (const part of message.content) {
    if (part.type === 'text') length += part.text.length
    else images += 1
  }
  if (length < minLength && images === 0) return message
  const what = images === 0 ? `${length} characters` : `${length} characters, images: ${images}`
  return { ...message, content: [{ type: 'text', text: `[This earlier result is left out here: ${what}]` }] }
}

// Images are dear and some models take only a few: the latest stay, the others are named where they stood.

export interface LimitImagesOptions {
  /** So many of the latest images stay, from people and tools together. */
  readonly keep: number
}

/**
 * Puts a line of text in place of all but the last `keep` images. The limit is strict: it holds for the images of the
 * newest message too. Ends and fails with its source; buffers nothing.
 * @throws Failure `bad_request` for an option that is no count
 */
export function limitImages({ keep }: LimitImagesOptions): ContextTransform {
  requireCount('limitImages: keep', keep)
  return changeMessages((messages) => {
    let over = messages.reduce((sum, message) => sum + imagesIn(message), 0) - keep
    const limited = (part: UserContent): UserContent => {
      if (part.type !== 'image' || over <= 0) return part
      over -= 1
      return { type: 'text', text: `[An earlier image (${part.mimeType}) is left out here]` }
    }
    return mapShared(messages, (message) => withParts(message, limited))
  })
}

function imagesIn({ content }: Message): number {
  return typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'image').length
}

function withParts(message: Message, project: (part: UserContent) => UserContent): Message {
  if (message.role === 'assistant' || typeof message.content === 'string') return message
  const content = mapShared(message.content, project)
  return content === message.content ? message : { ...message, content }
}

// What a model thought on the way to an old answer is not needed to understand the answer.

export interface DropThinkingOptions {
  /**
   * So many of the latest answers keep theirs. Default 1: APIs that sign thinking want that of an answer back while its
   * tool calls are being answered.
   */
  readonly keepLast?: number
}

/**
 * Leaves thinking, redacted thinking too, out of all but the last `keepLast` answers; an answer that was nothing else goes
 * whole. Ends and fails with its source; buffers nothing.
 * @throws Failure `bad_request` for an option that is no count
 */
export function dropThinking({ keepLast = 1 }: DropThinkingOptions = {}): ContextTransform {
  requireCount('dropThinking: keepLast', keepLast)
  return changeMessages((messages) => {
    const end = startOfLast(messages, 'assistant', keepLast)
    return mapShared(messages, (message, index) => {
      return index < end && message.role === 'assistant' ? withoutThinking(message) : message
    })
  })
}

function withoutThinking(message: AssistantMessage): AssistantMessage | undefined {
  const content = mapShared(message.content, (block) => (block.type === 'thinking' ? undefined : block))
  if (content === message.content) return message
  return content.length === 0 ? undefined : { ...message, content }
}
