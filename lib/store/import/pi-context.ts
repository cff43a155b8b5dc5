// What the conversion of one entry of a pi session is given, and what it gives.
import type { EntryTree } from './entry-tree.ts'
import type { ForeignObject } from './foreign-object.ts'

/** What a conversion may ask of what was read before. */
export interface PiContext {
  readonly tree: EntryTree
  /** When the entry was made, Unix milliseconds. */
  readonly at: number
  /** The node that the entry stands behind. */
  readonly parentId: string | null
  /** Our id of the entry, where it becomes a node. */
  readonly entryId: string
  /** Tokens from the first message to this node, guessed. */
  tokensTo(entryId: string | null): number
  /** A message without its content; undefined where that entry is no message. */
  shellOf(entryId: string): object | undefined
  /** Told what does not stay what it is. */
  tell(message: string): void
}

/** An event to be checked by its schema. Undefined: nothing of the entry is left, and `tell` said why. */
export interface PiConverted {
  readonly event: ForeignObject & { readonly type: string }
  /** Fields of the entry that the event holds; all others are kept as data beside it. */
  readonly fields: readonly string[]
}
