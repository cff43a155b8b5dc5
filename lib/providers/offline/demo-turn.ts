// What happened since the last question: the calls that the demo model made for it, with their results.
import type { Message, ToolCall, UserContent } from '../../streams/messages/message.ts'

export interface DemoStep {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** The result's text. */
  readonly text: string
  readonly isError: boolean
}

export interface DemoTurn {
  /** The text of the last user message. */
  readonly question: string
  /** The calls made for it that have a result, in order. */
  readonly steps: readonly DemoStep[]
}

export function demoTurn(messages: readonly Message[]): DemoTurn {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const question = messages[asked]
  const calls = new Map<string, ToolCall>()
  const steps: DemoStep[] = []
  for (const message of messages.slice(asked + 1)) {
    if (message.role === 'assistant') {
      for (const block of message.content) if (block.type === 'toolCall') calls.set(block.id, block)
    } else if (message.role === 'toolResult') {
      const call = calls.get(message.toolCallId)
      const { toolName: tool, content, isError } = message
      steps.push({ tool, arguments: call?.arguments ?? {}, text: textOf(content), isError })
    }
  }
  return { question: question?.role === 'user' ? textOf(question.content) : '', steps }
}

function textOf(content: string | readonly UserContent[]): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.mimeType}]`)).join('\n')
}
