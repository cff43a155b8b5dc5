// Declares the MCP servers of a session, as a session uses them.
import type { Observable } from 'rxjs'
import type { UserContent } from '../../streams/messages/message.ts'
import type { Session } from './session.ts'

/** The servers that a session is opened with; their first tools are in its list of tools. */
export interface SessionServers {
  /** Called once, when the session is open; the servers end with it. @param wired the wired parts of the session */
  attach(session: Session, wired: object): void
  /** Emits the content of the resources that a prompt names, once; undefined if it names none. */
  readResources(text: string): Observable<readonly UserContent[]> | undefined
  /** Emits once, and never fails: resources and templates that fit the text. */
  findResources: NonNullable<Session['findResources']>
  /** Names of the servers whose tools are not known yet, because they have not answered. Default: none. */
  starting?(): readonly string[]
}
