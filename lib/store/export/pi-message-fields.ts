// A message as the entry of pi that holds such a one; pi's shapes are ours, but for what pi does not know.
import type { AssistantMessage, Message, UserContent } from '../../streams/messages/message.ts'
import { customTypes } from '../import/custom-types.ts'

type PiFields = Readonly<Record<string, unknown>> & { readonly type: string }

/** The entry's fields but id, parentId and timestamp. A role that pi does not know becomes data, which no model is told. */
export function piMessageFields(message: Message): PiFields {
  switch (message.role) {
    case 'user':
      return { type: 'message', message: { ...message, content: said(message.content) } }
    case 'toolResult':
      return { type: 'message', message: { ...message, content: said(message.content) } }
    case 'assistant':
      return { type: 'message', message: { ...message, usage: usage(message.usage) } }
    default:
      return custom(message)
  }
}

function custom(message: Readonly<Record<string, unknown>>): PiFields {
  const { role, timestamp, ...fields } = message
  if (role === 'bashExecution') return { type: 'message', message }
  if (role === 'piSystem') return { type: 'message', message: { ...message, role: 'system' } }
  if (role === 'custom' && typeof fields['customType'] === 'string') return { type: 'custom_message', ...fields }
  return { type: 'custom', customType: customTypes.message, data: message }
}

/** An image that lies beside the log stays there: what it was stands in its place. */
function said(content: string | readonly UserContent[]): string | readonly UserContent[] {
  if (typeof content === 'string') return content
  return content.map((part) => {
    if (part.type === 'text' || part.data !== undefined) return part
    return { type: 'text', text: `[${part.mimeType}, ${part.bytes ?? 0} bytes, is not part of this file]` }
  })
}

/** pi counts on numbers; `unknown: true` is our mark that they are none. */
function usage({ cost, ...counts }: AssistantMessage['usage']): object {
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0, unknown: true }
  return { ...counts, cost: cost === 'unknown' ? none : cost }
}
