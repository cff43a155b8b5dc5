// Builds short messages for tests.
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type {
  AssistantContent,
  AssistantMessage,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from '../../../lib/streams/messages/message.ts'

export function aUser(content: string | readonly UserContent[]): UserMessage {
  return { role: 'user', content, timestamp: 1 }
}

/**
 * `'text'` and `'thinking'` make such blocks, any other word a call with that id; blocks and fields stay as they are.
 */
export function anAnswer(
  ...parts: readonly (string | AssistantContent | Partial<Omit<AssistantMessage, 'content'>>)[]
): AssistantMessage {
  const fields = parts.filter(
    (part): part is Partial<AssistantMessage> => typeof part === 'object' && !('type' in part),
  )
  const blocks = parts.flatMap((part) => (typeof part === 'string' ? [block(part)] : 'type' in part ? [part] : []))
  return Object.assign(
    {
      role: 'assistant' as const,
      api: 'openai-completions',
      provider: 'maker',
      model: 'm',
      usage: noUsage,
      stopReason: 'stop' as const,
      timestamp: 2,
    },
    ...fields,
    { content: blocks },
  ) as AssistantMessage // the type of Object.assign covers no list
}

function block(word: string): AssistantContent {
  if (word === 'text') return { type: 'text', text: 'some text' }
  if (word === 'thinking') return { type: 'thinking', thinking: 'some thought' }
  return { type: 'toolCall', id: word, name: 'read', arguments: { path: 'a' } }
}

export function aResult(toolCallId: string, content: string | readonly UserContent[] = 'ok'): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId,
    toolName: 'read',
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    isError: false,
    timestamp: 3,
  }
}
