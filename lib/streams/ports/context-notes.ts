// The port of notes to the model beside the conversation; the system prompt keeps its bytes.
import type { Observable } from 'rxjs'
import type { EventNamed } from '../events/event.ts'
import type { ContextMessage } from '../messages/context-message.ts'
import type { Message } from '../messages/message.ts'

/** A note for the model, appended to the conversation. */
export interface ContextNote {
  readonly type: 'note'
  readonly note: Omit<ContextMessage, 'role' | 'timestamp'>
}

/** A file in the system prompt; written to the log once for each digest. */
export interface ContextInPrompt {
  readonly type: 'in_prompt'
  readonly added: Omit<EventNamed<'context_added'>, 'type' | 'entryId'>
}

/** A problem for people: a file that was refused or cut. */
export interface ContextProblem {
  readonly type: 'problem'
  readonly code: string
  readonly message: string
}

export type ContextUpdate = ContextNote | ContextInPrompt | ContextProblem

export interface ContextNotes {
  /**
   * Called before each request, with the messages of the conversation: emits what is due, and completes. Undefined:
   * nothing is due. A note is due until the conversation holds it, so going back to an earlier entry makes it due
   * again.
   */
  due(messages: readonly Message[]): Observable<ContextUpdate> | undefined
  /** Ends what it watches. */
  close(): void
}
