// Messages about what has changed around the conversation: date, branch, instruction files.
// They have a role of their own and reach models as user messages, so that the system prompt keeps its bytes.
import type { Message, UserMessage } from './message.ts'
import { bashExecutionInput } from './bash-execution.ts'

/** A note to the model; clients show it as a note, not as the user's words. */
export interface ContextMessage {
  readonly role: 'context'
  /** `date`, `branch`, `instructions` …; a later build may add kinds. */
  readonly kind: string
  /** The file; absent for other kinds. A note replaces an earlier one of the same kind and path. */
  readonly path?: string
  /** SHA-256 of the file's text, or the value itself (a day, a branch); empty if the file is gone. */
  readonly digest: string
  /** Text for the model. */
  readonly content: string
  /** Unix ms. */
  readonly timestamp: number
}

/** The same as a message of the conversation, where `role` alone identifies a custom role. */
export function contextMessage(note: Omit<ContextMessage, 'role'>): Message {
  return { role: 'context', ...note } as unknown as Message // a custom role that no declaration merges in
}

/** Undefined for another role, and for a message of another program that lacks a field. */
export function contextMessageIn(message: Message): ContextMessage | undefined {
  const custom: unknown = message
  return isContextMessage(custom) ? custom : undefined
}

function isContextMessage(message: unknown): message is ContextMessage {
  if (typeof message !== 'object' || message === null) return false
  const fields: Partial<Record<string, unknown>> = { ...message }
  const texts = [fields['kind'], fields['digest'], fields['content'], fields['path'] ?? '']
  return fields['role'] === 'context' && texts.every((text) => typeof text === 'string')
}

/** The user message that models receive for a message of a custom role; undefined if they receive none. */
export function customInput(message: Message): UserMessage | undefined {
  const note = contextMessageIn(message)
  if (note === undefined) return bashExecutionInput(message)
  return note.content === '' ? undefined : { role: 'user', content: note.content, timestamp: note.timestamp }
}
