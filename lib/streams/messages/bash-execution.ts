// A command that a person ran is a message of its own role; a model is told of it in a user's words, or not at all.
import type { Message, UserMessage } from './message.ts'

/** A command that a person ran themselves (`user_bash`), and what came of it. */
export interface BashExecutionMessage {
  readonly role: 'bashExecution'
  readonly command: string
  /** Its end: 2,000 lines or 50 KB, without escape sequences for terminals. */
  readonly output: string
  /** Absent where a signal ended it, or nobody knows how it ended. */
  readonly exitCode?: number
  /** It was ended before it ended by itself. */
  readonly cancelled: boolean
  /** `output` is not all of it … */
  readonly truncated: boolean
  /** … all of which is in this file, if it could be kept. */
  readonly fullOutputPath?: string
  /** A model is not told of it. */
  readonly excludeFromContext?: boolean
  /** The job as which it ran; absent in what other programs wrote. */
  readonly jobId?: string
  /** Unix ms: when it began. */
  readonly timestamp: number
}

/** As it stands in a conversation, where a custom role is known by its `role` alone. */
export function bashExecutionMessage(message: BashExecutionMessage): Message {
  return message as unknown as Message // a custom role that no declaration merges in
}

/** Undefined for a message of another role. What another program wrote may lack any field but the role. */
export function bashExecutionIn(message: Message): Partial<BashExecutionMessage> | undefined {
  const custom: unknown = message
  return isBashExecution(custom) ? custom : undefined
}

/** What a model is told of it; undefined for another role, without a command, and for what it is not to know. */
export function bashExecutionInput(message: Message): UserMessage | undefined {
  if (bashExecutionIn(message)?.excludeFromContext === true) return undefined
  const text = bashExecutionText(message)
  if (text === undefined) return undefined
  return { role: 'user', content: `I ran this command myself:\n\n${text}`, timestamp: message.timestamp }
}

function isBashExecution(message: unknown): message is Partial<BashExecutionMessage> {
  return typeof message === 'object' && message !== null && 'role' in message && message.role === 'bashExecution'
}

// A command that a person ran is read as it stood on the screen: the command behind its prompt, then what it put out.

/** Undefined for a message of another role, or without a command. */
export function bashExecutionText(message: Message): string | undefined {
  const fields: Partial<Record<string, unknown>> = { ...message }
  const { role, command, output, exitCode, cancelled, truncated, fullOutputPath } = fields
  if (role !== 'bashExecution' || typeof command !== 'string') return undefined
  const end = cancelled === true ? '[cancelled]' : failed(exitCode)
  const put = typeof output === 'string' ? output.trimEnd() : ''
  const rest = typeof fullOutputPath === 'string' ? `; all of it: ${fullOutputPath}` : ''
  const cut = truncated === true ? `[the beginning of its output was left out${rest}]` : ''
  return [`$ ${command}`, cut, put, end].filter((line) => line !== '').join('\n')
}

function failed(exitCode: unknown): string {
  return typeof exitCode === 'number' && exitCode !== 0 ? `[exit code ${exitCode}]` : ''
}
