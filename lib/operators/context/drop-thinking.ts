// What a model thought on the way to an old answer is not needed to understand the answer.
import type { ContextTransform } from '../../streams/ports/agent-context.ts'
import type { AssistantMessage } from '../../streams/messages/message.ts'
import { changeMessages } from './change-messages.ts'
import { mapShared } from '../core/map-shared.ts'
import { requireCount } from '../core/require-count.ts'
import { startOfLast } from './start-of-last.ts'

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
