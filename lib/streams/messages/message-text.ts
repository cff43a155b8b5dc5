// Extracts the readable text of a message: no images, thinking or tool calls.
import { bashExecutionText } from './bash-execution.ts'
import type { Invocation, Message } from './message.ts'

/**
 * The message's text blocks joined by line feeds, or a user's shell command with its output; '' if there is none.
 * Custom roles may have any content.
 */
export function messageText(message: Message): string {
  const { content }: { readonly content?: unknown } = message
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.flatMap(textIn).join('\n') : (bashExecutionText(message) ?? '')
}

/** The text for a person: of a prompt that was a command, what the person typed. */
export function displayText(message: Message): string {
  return message.role === 'user' && message.invocation !== undefined
    ? typedText(message.invocation)
    : messageText(message)
}

/** The typed text: `/NAME ARGUMENTS` instead of the text that it became. */
export function typedText({ name, args }: Invocation): string {
  return typeof args === 'string' && args !== '' ? `/${name} ${args}` : `/${name}`
}

function textIn(block: unknown): string[] {
  if (typeof block !== 'object' || block === null || !('type' in block) || block.type !== 'text') return []
  return 'text' in block && typeof block.text === 'string' ? [block.text] : []
}
