// What a person reads of a message: its text; pictures, thinking and calls are not in it.
import { bashExecutionText } from './bash-execution.ts'
import type { Message } from './message.ts'

/** The message's text blocks, one below the other, or the command that a person ran; '' where it has none. A role of others may have any content. */
export function messageText(message: Message): string {
  const { content }: { readonly content?: unknown } = message
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.flatMap(textIn).join('\n') : (bashExecutionText(message) ?? '')
}

function textIn(block: unknown): string[] {
  if (typeof block !== 'object' || block === null || !('type' in block) || block.type !== 'text') return []
  return 'text' in block && typeof block.text === 'string' ? [block.text] : []
}
