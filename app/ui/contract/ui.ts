// Interface of the UI's components: the view, inputs of the view, and requests to the server.
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { Behavior } from '../../../lib/streams/rx/behavior.ts'
import type { SessionOptions } from '../../commands/sessions/open-session-choice.ts'
import type { UserKeymap } from '../keys/user-keymap.ts'
import type { OpenedInput, ViewInput } from '../view/view-input.ts'
import type { View } from '../view/view.ts'

export interface Ui {
  /** The view for drawing: at most 20 values a second. */
  readonly view$: Behavior<View>
  /** The current view, ahead of the drawn one. */
  now(): View
  /** Folds an input into the view; drawn with the next frame. */
  input(input: ViewInput): void
  /** See `ReconnectingClient`: cold, fails with a Failure. */
  readonly request: ReconnectingClient['request']
  /** Folder and environment in which the UI was started, for commands that open sessions. */
  readonly surroundings: {
    readonly cwd: string
    readonly env: Readonly<Record<string, string>>
    /** The options of the command line, in force in each session that this UI opens. */
    readonly options?: SessionOptions
  }
  /** Background of the terminal, as far as it is known. */
  readonly background: 'dark' | 'light'
  readonly keys: UserKeymap
  /**
   * Shows the session that `opening$` emits; inputs sent before go to it too. Shows a failure as a notice and keeps the
   * current session. The last call wins.
   */
  open(opening$: Observable<OpenedInput['opened']>): void
  /**
   * Emits the target session once and completes: the one that is being opened, else the current one. Empty if there is
   * none or it could not be opened. Never fails.
   */
  readonly target$: Observable<string>
  /** Writes a control sequence that draws nothing. */
  toTerminal(sequence: string): void
  /** Ends the UI at once; a run that was not stopped continues in the server, and a message says so. */
  leave(): void
}

/** Folder and environment of a command that opens a session. */
interface LaunchContext {
  /** Absolute. */
  readonly cwd: string
  readonly env: Record<string, string>
}

export function launchContext({ surroundings: { cwd, env } }: Pick<Ui, 'surroundings'>): LaunchContext {
  return { cwd, env: { ...env } }
}

/** The context of a session: the demo model may answer if no model was ever usable. */
export function sessionContext({ surroundings }: Pick<Ui, 'surroundings'>): SessionContext {
  const { approve, sandbox } = surroundings.options ?? {}
  return {
    ...launchContext({ surroundings }),
    offerDemo: true,
    ...(approve === undefined ? {} : { approve }),
    ...(sandbox === undefined ? {} : { sandbox }),
  }
}

/** Names the session that a command leaves, whose extensions may refuse; empty without one. */
export function leaving(ui: Pick<Ui, 'now'>): { readonly leaving?: string } {
  const { session } = ui.now()
  return session === undefined ? {} : { leaving: session.id }
}

type SessionContext = LaunchContext & { readonly offerDemo: boolean } & Pick<SessionOptions, 'approve' | 'sandbox'>

/** The context of a new session: all options of the command line, with the model that the current session has now. */
export function newSessionContext(
  ui: Pick<Ui, 'surroundings' | 'now'>,
): SessionContext & SessionOptions & ReturnType<typeof leaving> {
  return { ...sessionContext(ui), ...ui.surroundings.options, ...currentModel(ui.now()), ...leaving(ui) }
}

function currentModel({ session, model, thinkingLevel }: View): Pick<SessionOptions, 'model' | 'thinkingLevel'> {
  if (session === undefined || model === '' || model.startsWith('demo/')) return {} // a usable model may be there by now
  return { model, thinkingLevel }
}
