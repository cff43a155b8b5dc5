// Types of the JSON lines that a process prints about its session before it is killed.

export type TortureLine =
  | { readonly session: string }
  /** The text of a command that was answered. */
  | { readonly acknowledged: string }
  /** A durable event that was received. */
  | { readonly seq: number; readonly line: string }
  /** The length of a block of the unfinished answer, as it was shown. */
  | { readonly entryId: string; readonly contentIndex: number; readonly length: number; readonly at: number }
