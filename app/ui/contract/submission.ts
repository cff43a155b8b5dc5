// A prompt with its images, as the editor submits it.
import type { ImageContent } from '../../../lib/streams/messages/message.ts'
import type { QueuedInput } from '../../../lib/streams/state/fold-inputs.ts'

export interface Submission {
  readonly text: string
  readonly images: readonly ImageContent[]
}

// Text and images of a queued input.

export function submissionOf({ content }: Pick<QueuedInput, 'content'>): Submission {
  if (typeof content === 'string') return { text: content, images: [] }
  return {
    text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    images: content.filter((part) => part.type === 'image'),
  }
}
