// Writes a message of pi's form as one comparable line.
import { plainText } from '../contract/plain-text.ts'

/** A message of pi's form, as far as a line holds it. */
export interface LineMessage {
  readonly role: string
  readonly content?: unknown
  readonly customType?: string
  readonly toolName?: string
  readonly isError?: boolean
  readonly errorMessage?: string
  readonly command?: string
  readonly output?: string
}

interface ContentPart {
  readonly type: string
  readonly text?: string
  readonly name?: string
  readonly arguments?: unknown
}

export function messageLine(message: LineMessage): string {
  const { role, customType, toolName, isError, errorMessage, command, output, content } = message
  const name = [role, customType, toolName, isError === true ? 'error' : undefined].filter((word) => word !== undefined)
  const shell = command === undefined ? [] : [`$ ${command}`, output ?? '']
  const failed = errorMessage === undefined ? [] : [`(${errorMessage})`]
  return plainText(`${name.join(' ')}: ${[contentText(content), ...shell, ...failed].filter(Boolean).join(' ')}`.trim())
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map(partText).filter(Boolean).join(' ')
}

function partText({ type, text, name, arguments: args }: ContentPart): string {
  if (type === 'text') return text ?? ''
  return type === 'toolCall' ? `[${name ?? ''} ${JSON.stringify(args)}]` : `<${type}>`
}
