// Shortens old messages: tool results, images and thinking.
import type { ContextTransform } from '../../streams/ports/agent-context.ts'
import type { Message, ToolResultMessage, UserContent, AssistantMessage } from '../../streams/messages/message.ts'
import { changeMessages, mapShared, requireCount, startOfLast } from './change-messages.ts'

export interface PruneToolResultsOptions {
  /** The number of latest results that stay whole. */
  readonly keep: number
  /** Results with less text than this stay whole too, if they hold no image. UTF-16 units. Default 500. */
  readonly minLength?: number
}

/**
 * Replaces the content of all but the last `keep` tool results by a line with its size. Results that the model has not
 * answered yet always stay: it would call the tool again. Their calls, `isError` and all other messages stay as they
 * are.
 *
 * Ends and fails with its source; buffers nothing. Each new result shortens one more, and the provider's prompt cache
 * then holds only up to that message.
 * @throws Failure `bad_request` for an option that is not a count
 */
export function pruneToolResults({ keep, minLength = 500 }: PruneToolResultsOptions): ContextTransform {
  requireCount('pruneToolResults: keep', keep)
  requireCount('pruneToolResults: minLength', minLength)
  return changeMessages((messages) => {
    const end = Math.min(startOfLast(messages, 'toolResult', keep), indexOfLastAnswer(messages))
    return mapShared(messages, (message, index) => {
      return index < end && message.role === 'toolResult' ? prune(message, minLength) : message
    })
  })
}

function indexOfLastAnswer(messages: readonly Message[]): number {
  return startOfLast(messages, 'assistant', 1)
}

function prune(message: ToolResultMessage, minLength: number): ToolResultMessage {
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

export interface LimitImagesOptions {
  /** The number of latest images that stay, from users and tools together. */
  readonly keep: number
}

/**
 * Replaces all but the last `keep` images by a line of text: images are expensive, and some models accept only a few.
 * The limit holds for the images of the newest message too. Ends and fails with its source; buffers nothing.
 * @throws Failure `bad_request` for an option that is not a count
 */
export function limitImages({ keep }: LimitImagesOptions): ContextTransform {
  requireCount('limitImages: keep', keep)
  return changeMessages((messages) => {
    let over = messages.reduce((sum, message) => sum + countImages(message), 0) - keep
    const limit = (part: UserContent): UserContent => {
      if (part.type !== 'image' || over <= 0) return part
      over -= 1
      return { type: 'text', text: `[An earlier image (${part.mimeType}) is left out here]` }
    }
    return mapShared(messages, (message) => mapUserParts(message, limit))
  })
}

function countImages({ content }: Message): number {
  return typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'image').length
}

function mapUserParts(message: Message, project: (part: UserContent) => UserContent): Message {
  if (message.role === 'assistant' || typeof message.content === 'string') return message
  const content = mapShared(message.content, project)
  return content === message.content ? message : { ...message, content }
}

export interface DropThinkingOptions {
  /**
   * The number of latest answers that keep their thinking. Default 1: APIs that sign thinking require that of an answer
   * until its tool calls are answered.
   */
  readonly keepLast?: number
}

/**
 * Removes thinking, redacted thinking too, from all but the last `keepLast` answers. An answer of thinking alone is
 * removed. Ends and fails with its source; buffers nothing.
 * @throws Failure `bad_request` for an option that is not a count
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
