// Extracts the readable text of a message: no images, thinking or tool calls.
import { bashExecutionText } from './bash-execution.ts'
import type { Message } from './message.ts'

/**
 * The message's text blocks joined by line feeds, or a user's shell command with its output; '' if there is none.
 * Custom roles may have any content.
 */
export function messageText(message: Message): string {
  const { content }: { readonly content?: unknown } = message
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.flatMap(textIn).join('\n') : (bashExecutionText(message) ?? '')
}

function textIn(block: unknown): string[] {
  if (typeof block !== 'object' || block === null || !('type' in block) || block.type !== 'text') return []
  return 'text' in block && typeof block.text === 'string' ? [block.text] : []
}
