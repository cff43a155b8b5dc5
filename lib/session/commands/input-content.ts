// An input's words and images as a user message holds them.
import type { ImageContent, UserContent } from '../../streams/messages/message.ts'

export interface Input {
  readonly text: string
  readonly images?: readonly ImageContent[] | undefined
}

/** Text alone stays a string. */
export function inputContent({ text, images = [] }: Input): string | readonly UserContent[] {
  if (images.length === 0) return text
  return [...(text === '' ? [] : [{ type: 'text', text } as const]), ...images]
}
