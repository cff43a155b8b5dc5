// Declares the extensions of one session as the session uses them.
import type { Observable } from 'rxjs'
import type { ExtensionUi } from '../../streams/commands/extension-ui-commands.ts'
import type { ContextNotes } from '../../streams/ports/context-notes.ts'
import type { Surfaces } from '../../streams/surfaces/surfaces.ts'
import type { UserCommandAnswer } from '../../streams/ports/hooks.ts'
import type { Secrets } from '../../streams/ports/secrets.ts'
import type { Capability } from '../../streams/ports/tool.ts'
import type { ExtensionDefinition, ExtensionManifest } from '../api/define-extension.ts'
import type { UserBashAnswer } from '../api/extension-hooks.ts'
import type { Contributions } from './contributions.ts'
import type { FaultCounter } from './fault-counter.ts'
import type { ConnectedSession, SessionHost, SessionPeople } from './session-host.ts'

/** The new state of an extension in a session; written to its log as `extension_state`. */
export type ExtensionSessionState = 'active' | 'failed' | 'quarantined' | 'killed' | 'unloaded'

export interface ExtensionSetOptions {
  readonly host: SessionHost
  /** `extensions` of the settings. Default: none. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined
  /** Reads and loads all extensions anew. Default: those that were loaded are set up again. */
  readonly reload?: (() => Observable<never>) | undefined
  /** Called with each use of a capability. Default: nothing. */
  readonly onUse?: (extension: string, capability: Capability, detail: string) => void
}

export interface ExtensionSet {
  readonly contributions: Contributions
  readonly faults: FaultCounter
  /** Notes of `session.note` and `addNote`; `due` takes them. */
  readonly notes: ContextNotes
  /** Drawings of extensions for the screens of clients. */
  readonly surfaces: Surfaces
  /** Appends a note for the model before the next request; drops it if 100 wait. */
  addNote(text: string): void
  /** The present texts of the status row, notices of the opening, keys and themes. */
  ui(): ExtensionUi
  /** The name of each extension that was loaded while the session is open. Buffers nothing. */
  readonly activated$: Observable<string>
  /** True while a question of the session is open; the present value first. Time limits of hooks stand still then. */
  readonly questionOpen$: Observable<boolean>
  /** The manifests of what is active, in the order of loading. */
  readonly loaded: readonly ExtensionManifest[]
  /**
   * Sets an extension up, in place of one of the same name. Completes when `setup` has, never fails: a fault is reported, and
   * the session goes on without the extension. Unsubscribing unloads it.
   */
  load(definition: ExtensionDefinition): Observable<never>
  /** Loads all anew; a call while that is on joins it. Never fails. Goes on if the caller unsubscribes. */
  reload(): Observable<never>
  /** Calls its `shutdown` hooks, unless it is killed, and ends its scope. Completes also if there is none. */
  unload(name: string, state?: ExtensionSessionState): Observable<never>
  /**
   * Turns an answer to `user_bash` into the session's action.
   * @throws Failure `bad_request` if it changes the command, and the manifest does not name the capability `exec`
   */
  userCommandAnswer(extension: string, answer: UserBashAnswer, secrets: Secrets | undefined): UserCommandAnswer
  /** Undefined until the session is open, and without clients. For rxpi itself. */
  readonly people: SessionPeople | undefined
  /** Writes a warning to the log of the session. */
  warn(message: string): void
  /** The session is open: delivers what waited, and its events from now on. */
  connect(session: ConnectedSession): void
  /** Unloads everything, as the end of the session. */
  close(): Observable<never>
}
