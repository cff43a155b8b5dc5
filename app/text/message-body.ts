// Formats the whole content of a message as text.
import { innerCall } from '../../lib/streams/messages/inner-call.ts'
import type { AssistantContent, Message, UserContent } from '../../lib/streams/messages/message.ts'
import { messageText, typedText } from '../../lib/streams/messages/message-text.ts'

export function messageBody(message: Message): string {
  const { content } = message
  if (message.role === 'user' && message.invocation !== undefined) return typedText(message.invocation)
  if (typeof content === 'string') return content
  if (!hasBlocks(message)) return messageText(message) || JSON.stringify(message)
  const error = message.role === 'assistant' && message.errorMessage !== undefined ? [`[${message.errorMessage}]`] : []
  return [...content.map(blockText), ...error].filter((text) => text !== '').join('\n')
}

/** False for a message of a host or of pi without content blocks. */
function hasBlocks({ content }: { readonly content?: unknown }): boolean {
  return Array.isArray(content)
}

function blockText(block: UserContent | AssistantContent): string {
  switch (block.type) {
    case 'text':
      return block.blob === undefined ? block.text : `${block.text}\n[the beginning of ${block.bytes ?? 0} bytes]`
    case 'image':
      return `[image: ${block.mimeType}]`
    case 'thinking':
      return block.thinking === '' ? '' : `[thinking] ${block.thinking}`
    case 'toolCall': {
      const { name, arguments: args } = innerCall(block)
      return `→ ${name} ${JSON.stringify(args)}`
    }
  }
}
