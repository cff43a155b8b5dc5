// Formats a message as one line: its role, texts and calls, without times, entry ids and prices.
import type { Wording } from './wordings.ts'

/** The common fields of both agents' messages: ours have pi's shape. */
export interface ShownMessage {
  readonly role: string
  readonly content?: string | readonly ShownPart[]
  readonly stopReason?: string
  readonly errorMessage?: string
  readonly toolCallId?: string
  readonly isError?: boolean
}

export interface ShownPart {
  readonly type: string
  readonly text?: string
  readonly thinking?: string
  readonly id?: string
  readonly name?: string
  readonly arguments?: unknown
}

const roles: Readonly<Record<string, string>> = { user: 'user', assistant: 'asst', toolResult: 'result' }

/** `user "Hi"`, `asst stop "Hello"`, `asst error "Hel" (boom)`, `result c1 ok "4"`. */
export function messageLine(message: ShownMessage, wording: Wording): string {
  const name = roleName(message.role)
  if (message.role === 'toolResult') return `${name} ${message.toolCallId ?? '?'} ${resultText(message, wording)}`
  const error = message.errorMessage === undefined ? '' : ` (${message.errorMessage})`
  return [name, message.stopReason, partsText(message.content)].filter(Boolean).join(' ') + error
}

interface ShownResult {
  readonly content?: ShownMessage['content'] | undefined
  readonly isError?: boolean
}

/** `user`, `asst`, `result`. */
export function roleName(role: string): string {
  return roles[role] ?? role
}

/** `ok "4"` or `error <unknown tool>`: an agent's own error text is replaced by its kind. */
export function resultText({ content, isError }: ShownResult, wording: Wording): string {
  return isError === true ? `error ${wording(partsText(content))}` : `ok ${partsText(content) || 'nothing'}`
}

function partsText(content: ShownMessage['content'] = []): string {
  return typeof content === 'string' ? quoted(content) : content.map(partText).join(' ')
}

function partText(part: ShownPart): string {
  if (part.type === 'thinking') return `thinking ${quoted(part.thinking)}`
  if (part.type === 'toolCall') return `call(${part.id ?? '?'} ${part.name ?? '?'} ${JSON.stringify(part.arguments)})`
  return part.type === 'text' ? quoted(part.text) : part.type
}

function quoted(text = ''): string {
  return JSON.stringify(text)
}
