// Opens sessions for a server: finds model, tools, settings and log for a folder and wires them into a Session.
import type { Observable } from 'rxjs'
import type { CommandNamed } from '../streams/command.ts'
import type { Session } from './session.ts'

/** A line for people about what was chosen for them and why. */
export interface Notice {
  readonly code: string
  readonly message: string
}

export interface OpenedSession {
  readonly session: Session
  readonly notices: readonly Notice[]
}

/** What the server asks of the rooms below it. */
export interface SessionHost {
  /** Emits once and completes; fails with a Failure. */
  newSession(
    command: Omit<CommandNamed<'new_session'>, 'type'>,
    options?: { readonly opId?: string },
  ): Observable<OpenedSession>
  openSession(command: Omit<CommandNamed<'open_session'>, 'type'>): Observable<OpenedSession>
}
