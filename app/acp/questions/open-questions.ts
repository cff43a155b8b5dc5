// Holds the open questions of a session: asks each at the editor, and sends the answer to the server.
import { Subscription, catchError, EMPTY, mergeMap } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { askEditor } from './ask-editor.ts'
import type { AskingOptions } from './ask-editor.ts'
import type { Question } from './permission.ts'

export interface OpenQuestionsOptions extends AskingOptions {
  readonly client: Pick<ReconnectingClient, 'request'>
}

export class OpenQuestions {
  readonly #options: OpenQuestionsOptions
  readonly #asking = new Map<string, Subscription>()

  constructor(options: OpenQuestionsOptions) {
    this.#options = options
  }

  /** Asks what the event asks, and takes back what it resolves. */
  take(event: AgentEvent): void {
    if (event.type === 'question' || event.type === 'ui_request') this.ask(event)
    else if (event.type === 'question_resolved' || event.type === 'ui_resolved') this.#end(event.requestId)
  }

  /** A question that is asked already is not asked again. */
  ask(question: Question): void {
    const { requestId, kind } = question
    if (kind === 'notify' || this.#asking.has(requestId)) return
    const asking = new Subscription()
    this.#asking.set(requestId, asking)
    const { client, sessionId: session } = this.#options
    const answering$ = askEditor(question, this.#options).pipe(
      mergeMap((answer) => client.request({ type: 'ui_response', session, requestId, ...answer })),
      catchError(() => EMPTY), // another client was first, or the run has ended
    )
    asking.add(answering$.subscribe())
  }

  #end(requestId: string): void {
    this.#asking.get(requestId)?.unsubscribe()
    this.#asking.delete(requestId)
  }

  /** Takes every question back from the editor; they stay open in the session. */
  close(): void {
    for (const requestId of [...this.#asking.keys()]) this.#end(requestId)
  }
}
