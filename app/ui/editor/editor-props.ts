// What the app and the editor agree on: the editor turns keys into submissions and action names, and knows nothing of sessions.
import type { ImageContent } from '../../../lib/streams/message.ts'

/** What a person wrote, as it is sent. */
export interface Submission {
  readonly text: string
  readonly images: readonly ImageContent[]
}

/** One thing that a person may mean with `@…` or `/…`. */
export interface Suggestion {
  /** What stands in the list. */
  readonly label: string
  /** What is put in. */
  readonly value: string
  readonly description?: string
}

export interface EditorProps {
  /** Put in where `revision` changes. */
  readonly draft: { readonly text: string; readonly revision: number }
  /** False while an overlay has the keys. */
  readonly isActive: boolean
  /** Cells that it may take. */
  readonly columns: number
  /** Rows above it in Ink's frame: the cursor is placed relative to that frame. */
  readonly top: number
  /** Rows that it may take. */
  readonly rows: number
  /** A run is on: Enter steers. */
  readonly isRunning: boolean
  /** Enter. The editor is empty afterwards. */
  onSubmit(input: Submission): void
  /** Alt-Enter. */
  onFollowUp(input: Submission): void
  /** Any other action of the keymap that is not about the text: `abort`, `tree`, `leave` … */
  onAction(name: string): void
}
