// Messages for shell commands of the user.
// They have a role of their own and reach models as user messages or not at all.
import type { Message, UserMessage } from './message.ts'

/** A shell command of the user (`user_bash`) with its result. */
export interface BashExecutionMessage {
  readonly role: 'bashExecution'
  readonly command: string
  /** The end of its output: 2,000 lines or 50 KB, without terminal escape sequences. */
  readonly output: string
  /** Absent if a signal ended it or its end is unknown. */
  readonly exitCode?: number
  /** True if the user stopped it. */
  readonly cancelled: boolean
  /** True if `output` was cut. */
  readonly truncated: boolean
  /** File with the whole output, if it could be stored. */
  readonly fullOutputPath?: string
  /** True if models do not see it. */
  readonly excludeFromContext?: boolean
  /** The job's id; absent in messages of other programs. */
  readonly jobId?: string
  /** The tool call that started it as a background job; absent for a command of the user. */
  readonly toolCallId?: string
  /** Start, Unix ms. */
  readonly timestamp: number
}

/** The same as a message of the conversation, where `role` alone identifies a custom role. */
export function bashExecutionMessage(message: BashExecutionMessage): Message {
  return message as unknown as Message // a custom role that no declaration merges in
}

/** Undefined for another role. Messages of other programs may lack every field but the role. */
export function bashExecutionIn(message: Message): Partial<BashExecutionMessage> | undefined {
  const custom: unknown = message
  return isBashExecution(custom) ? custom : undefined
}

/**
 * The user message that models receive; undefined for another role, without a command, or if `excludeFromContext` is
 * set.
 */
export function bashExecutionInput(message: Message): UserMessage | undefined {
  if (bashExecutionIn(message)?.excludeFromContext === true) return undefined
  const text = bashExecutionText(message)
  if (text === undefined) return undefined
  const { jobId, toolCallId } = bashExecutionIn(message) ?? {}
  const began = toolCallId === undefined ? 'I ran this command myself' : `Your background job ${jobId ?? ''} has ended`
  return { role: 'user', content: `${began}:\n\n${text}`, timestamp: message.timestamp }
}

function isBashExecution(message: unknown): message is Partial<BashExecutionMessage> {
  return typeof message === 'object' && message !== null && 'role' in message && message.role === 'bashExecution'
}

/** The command after a prompt sign, then its output. Undefined for another role, or without a command. */
export function bashExecutionText(message: Message): string | undefined {
  const fields: Partial<Record<string, unknown>> = { ...message }
  const { role, command, output, exitCode, cancelled, truncated, fullOutputPath } = fields
  if (role !== 'bashExecution' || typeof command !== 'string') return undefined
  const end = cancelled === true ? '[cancelled]' : describeExitCode(exitCode)
  const put = typeof output === 'string' ? output.trimEnd() : ''
  const rest = typeof fullOutputPath === 'string' ? `; all of it: ${fullOutputPath}` : ''
  const cut = truncated === true ? `[the beginning of its output was left out${rest}]` : ''
  return [`$ ${command}`, cut, put, end].filter((line) => line !== '').join('\n')
}

function describeExitCode(exitCode: unknown): string {
  return typeof exitCode === 'number' && exitCode !== 0 ? `[exit code ${exitCode}]` : ''
}
