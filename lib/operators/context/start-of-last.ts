// Where the last few messages of a role begin.
import type { Message } from '../../streams/messages/message.ts'

/** The index of the `count`th message of `role` from the end; 0 where there are fewer, the length where `count` is 0. */
export function startOfLast(messages: readonly Message[], role: Message['role'], count: number): number {
  let left = count
  let start = messages.length
  while (left > 0 && start > 0) {
    start -= 1
    if (messages[start]?.role === role) left -= 1
  }
  return start
}
