// Declares what the api of one extension is built of.
import type { Observable } from 'rxjs'
import type { Behavior } from '../../streams/rx/behavior.ts'
import type { Scope } from '../../streams/rx/scope.ts'
import type { ScreenSize } from '../../streams/surfaces/surfaces.ts'
import type { Capability } from '../../streams/ports/tool.ts'
import type { ExtensionManifest } from '../api/define-extension.ts'
import type { Contributions } from './contributions.ts'
import type { EventDeriver } from './derive-events.ts'
import type { FaultCounter } from './fault-counter.ts'
import type { ConnectedSession, SessionHost } from './session-host.ts'
import type { StartNotices } from './shown-parts.ts'

/** Parts shared by a session's extensions. */
export interface ExtensionSurroundings {
  readonly host: SessionHost
  readonly contributions: Contributions
  readonly deriver: EventDeriver
  readonly faults: FaultCounter
  readonly startNotices: StartNotices
  /** Undefined before the session is open. */
  connected(): ConnectedSession | undefined
  /** Appends a note for the model before the next request. */
  addNote(text: string): void
  /** Calls `act` now, or when the session is open. */
  whenOpen(act: (session: ConnectedSession) => void): void
  /** The size that a screen reported last; undefined without a screen. */
  screen(): ScreenSize | undefined
  /** Loads the extensions of the session anew. */
  reload(): Observable<never>
  /** Called with each use of a capability. */
  onUse(owner: string, capability: Capability, detail: string): void
}

export interface ApiParts extends ExtensionSurroundings {
  readonly manifest: ExtensionManifest
  readonly config$: Behavior<unknown>
  /** Of the extension in this session. */
  readonly life: Scope
}
