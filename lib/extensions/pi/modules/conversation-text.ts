// Makes messages of a session messages for a model, or one text.
import { contentText } from '../contract/pi-shapes.ts'
import type { PiContent, PiMessage, PiRecord } from '../contract/pi-shapes.ts'

/** Messages of extensions, shell commands and summaries become input of the user. */
export function convertToLlm(messages: readonly PiMessage[]): PiMessage[] {
  return messages.flatMap((message) => {
    const { role, timestamp = 0 } = message
    if (['user', 'assistant', 'toolResult', 'system'].includes(role)) return [message]
    const text = ownText(message)
    return text === undefined ? [] : [{ role: 'user', content: [{ type: 'text', text }], timestamp }]
  })
}

function ownText(message: PiMessage): string | undefined {
  const { role, content, command, output, summary } = message as PiMessage & {
    command?: string
    output?: string
    summary?: string
  }
  if (role === 'custom') return contentText(content)
  if (role === 'bashExecution') return `$ ${command ?? ''}\n${output ?? ''}`
  return summary === undefined ? undefined : `<summary>\n${summary}\n</summary>`
}

/** One text of a conversation, for a model that summarises it. */
export function serializeConversation(messages: readonly PiMessage[]): string {
  const names: Readonly<Record<string, string>> = { user: 'User', assistant: 'Assistant', toolResult: 'Tool result' }
  return messages
    .flatMap(({ role, content }) => {
      const text = [contentText(content), ...calls(content)].filter((part) => part !== '').join('\n')
      return text === '' ? [] : [`[${names[role] ?? role}]: ${text}`]
    })
    .join('\n\n')
}

function calls(content: PiContent | undefined): string[] {
  if (content === undefined || typeof content === 'string') return []
  return content.flatMap((part) => {
    const { type, name, arguments: args } = part as unknown as PiRecord // a part of a call has these
    return type === 'toolCall' ? [`[call of ${String(name)} with ${JSON.stringify(args)}]`] : []
  })
}
