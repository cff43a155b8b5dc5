// A message as a node of the session's tree.
import type { Message } from '../messages/message.ts'

/** A node of the session's tree. */
export interface Entry {
  readonly entryId: string
  readonly parentId: string | null
  readonly message: Message
  /** The `seq` of its `message_end`. */
  readonly seq: number
}
