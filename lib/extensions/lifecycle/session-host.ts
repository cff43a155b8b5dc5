// Declares what the extensions of a session need of it.
import type { Observable } from 'rxjs'
import type { Answer, Question } from '../../streams/ports/ask.ts'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { ModelsProvider } from '../../streams/config/settings.ts'
import type { Model } from '../../streams/models/model.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { AssistantMessage } from '../../streams/messages/message.ts'
import type { CompletionRequest } from '../api/completion-request.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { ExtensionSessionCommand } from '../api/extension-api.ts'

/** The session before it is open. */
export interface SessionHost {
  readonly id: string
  /** Absolute. */
  readonly cwd: string
  /** For child processes. */
  readonly env: Readonly<Record<string, string>>
  /** The tools that are there without extensions: a name of theirs is free only for an extension that replaces it. */
  readonly ownTools: readonly AnyTool[]
  /** Why an extension may not offer this provider; undefined if it may. Default: it may. */
  refuseProvider?(name: string, entry: ModelsProvider): string | undefined
}

/** The session once it is open. */
export interface ConnectedSession {
  /** Live events after they are recorded, whole. Completes when the session is closed. */
  readonly event$: Observable<AgentEvent>
  state(): SessionState
  /** A change of phase is cold, and waits for a person if it lets calls do more. */
  send(command: ExtensionSessionCommand, extension: string): Observable<object>
  ask(question: Question & { readonly source: string }): Observable<Answer>
  /** The custom events of this type that the log has, oldest first. Reads the whole log. */
  recorded(customType: string): Iterable<EventNamed<'custom'>>
  /** One request to a model, whose usage counts for the session. */
  complete(request: CompletionRequest): Observable<AssistantMessage>
  /** Records and publishes an event. */
  publish(event: AgentEvent): void
  /** Of the next request. */
  model(): Model
  activeTools(): readonly AnyTool[]
  registeredTools(): readonly AnyTool[]
  /** Asks people as rxpi itself; no extension gets it. Absent: no client can ask. */
  readonly people?: SessionPeople
}

/** The people that clients of a session can ask. */
export interface SessionPeople {
  /** Emits while a client can answer: on subscription, and whenever one comes. Never completes. */
  readonly attended$: Observable<void>
  isAttended(): boolean
  /** With the name of the client that answered. */
  ask(question: Question): Observable<Answer & { readonly client?: string }>
}
