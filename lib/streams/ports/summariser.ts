// A summary stands for messages that a model is not told any more; who writes it is a port.
import type { Observable } from 'rxjs'
import type { Message } from '../messages/message.ts'

export interface SummaryRequest {
  /** What it is to stand for, as models are told it, oldest first; never empty. */
  readonly messages: readonly Message[]
  /** Why they are told no more: the conversation goes on from an entry before them. */
  readonly reason: 'branch'
}

/** Emits the summary's text once; fails with a Failure. Unsubscribing ends whatever it asked. */
export type Summariser = (request: SummaryRequest) => Observable<string>
