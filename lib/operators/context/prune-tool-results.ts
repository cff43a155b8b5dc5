// The oldest tool results are the least read and the longest: they become a line each, while their calls stay.
import type { ContextTransform } from '../../streams/ports/agent-context.ts'
import type { Message, ToolResultMessage } from '../../streams/messages/message.ts'
import { changeMessages } from './change-messages.ts'
import { mapShared } from '../core/map-shared.ts'
import { requireCount } from '../core/require-count.ts'
import { startOfLast } from './start-of-last.ts'

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
