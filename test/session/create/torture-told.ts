// What a process that is going to be killed says of its session, one JSON line each.

export type Told =
  | { readonly session: string }
  /** The text of a command that was answered. */
  | { readonly acknowledged: string }
  /** A durable event that was seen. */
  | { readonly seq: number; readonly line: string }
  /** How long a block of the open answer was seen to be. */
  | { readonly entryId: string; readonly contentIndex: number; readonly length: number; readonly at: number }
