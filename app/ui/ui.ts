// What the components of the UI may do; everything goes through the socket or through the view's inputs.
import type { ReconnectingClient } from '../../lib/server/reconnecting-client.ts'
import type { Behavior } from '../../lib/streams/behavior.ts'
import type { UserKeymap } from './keys/user-keymap.ts'
import type { OpenedInput, ViewInput } from './view/view-input.ts'
import type { View } from './view/view.ts'

export interface Ui {
  /** What is drawn: at most 20 values a second. */
  readonly view$: Behavior<View>
  /** The view as it is now, ahead of what is drawn. */
  now(): View
  /** Folded at once, drawn with the next frame. */
  input(input: ViewInput): void
  /** See `ReconnectingClient`: cold, fails with a Failure. */
  readonly request: ReconnectingClient['request']
  /** The folder that the UI was started in, absolute, and its environment, for commands that open sessions. */
  readonly surroundings: { readonly cwd: string; readonly env: Readonly<Record<string, string>> }
  /** The terminal's, as far as it tells. */
  readonly background: 'dark' | 'light'
  readonly keys: UserKeymap
  /** Shows another session from now on. */
  show(opened: OpenedInput['opened']): void
  /** Ends the UI; a run goes on in the server, and that is said. */
  leave(): void
}
