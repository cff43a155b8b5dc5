// What the components of the UI may do; everything goes through the socket or through the view's inputs.
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { Behavior } from '../../../lib/streams/rx/behavior.ts'
import type { UserKeymap } from '../keys/user-keymap.ts'
import type { OpenedInput, ViewInput } from '../view/view-input.ts'
import type { View } from '../view/view.ts'

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
  /**
   * Shows the session that is emitted, from then on. What is sent before it is emitted goes to it too. A failure is told, and what
   * was shown stays; of two openings the later counts.
   */
  open(opening$: Observable<OpenedInput['opened']>): void
  /**
   * Emits the session that is meant now, once, and completes: the one that is being opened as soon as it is, else the one that is
   * shown. Empty where there is none, or it could not be opened, which is told elsewhere. Never fails.
   */
  readonly target$: Observable<string>
  /** Ends the UI; a run goes on in the server, and that is said. */
  leave(): void
}

// What a command of the UI says of where it was started: the folder, and an environment of its own to send.

interface LaunchContext {
  /** Absolute. */
  readonly cwd: string
  readonly env: Record<string, string>
}

export function launchContext({ surroundings: { cwd, env } }: Pick<Ui, 'surroundings'>): LaunchContext {
  return { cwd, env: { ...env } }
}
