// A prompt as it is sent.
import type { ImageContent } from '../../../lib/streams/messages/message.ts'

export interface Submission {
  readonly text: string
  readonly images: readonly ImageContent[]
}
