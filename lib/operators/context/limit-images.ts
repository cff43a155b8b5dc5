// Images are dear and some models take only a few: the latest stay, the others are named where they stood.
import type { ContextTransform } from '../../streams/ports/agent-context.ts'
import type { Message, UserContent } from '../../streams/messages/message.ts'
import { changeMessages } from './change-messages.ts'
import { mapShared } from '../core/map-shared.ts'
import { requireCount } from '../core/require-count.ts'

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
