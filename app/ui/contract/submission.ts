// A prompt with its images, as the editor submits it.
import type { ImageContent } from '../../../lib/streams/messages/message.ts'
import { typedText } from '../../../lib/streams/messages/message-text.ts'
import type { QueuedInput } from '../../../lib/streams/state/fold-inputs.ts'

export interface Submission {
  readonly text: string
  readonly images: readonly ImageContent[]
}

/** Text and images of a queued input. */
export function submissionOf({ content, invocation }: Pick<QueuedInput, 'content' | 'invocation'>): Submission {
  if (invocation !== undefined) {
    const images = typeof content === 'string' ? [] : content.filter((part) => part.type === 'image')
    return { text: typedText(invocation), images }
  }
  if (typeof content === 'string') return { text: content, images: [] }
  return {
    text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    images: content.filter((part) => part.type === 'image'),
  }
}
