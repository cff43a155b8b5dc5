// Ports through which a server asks a session: elicitation, sampling, roots.
import type { Observable } from 'rxjs'

/** A question of a server to a person: a form with a flat JSON Schema, or a page to open. */
export type ElicitRequest =
  | {
      readonly kind: 'form'
      readonly server: string
      readonly message: string
      readonly schema: Readonly<Record<string, unknown>>
      readonly toolCallId?: string
    }
  | {
      readonly kind: 'url'
      readonly server: string
      readonly message: string
      readonly url: string
      readonly elicitationId?: string
      readonly toolCallId?: string
    }

export interface ElicitAnswer {
  readonly action: 'accept' | 'decline' | 'cancel'
  /** Of an accepted form. */
  readonly values?: Readonly<Record<string, unknown>>
}

export interface SampleMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** A server's request for an answer of the session's model. */
export interface SampleRequest {
  readonly server: string
  readonly messages: readonly SampleMessage[]
  readonly system?: string
  readonly maxTokens: number
  readonly temperature?: number
  readonly stop?: readonly string[]
  /** Names of models that the server would like. */
  readonly models?: readonly string[]
}

export interface SampleAnswer {
  readonly text: string
  readonly model: string
  readonly stopReason: 'endTurn' | 'stopSequence' | 'maxTokens'
}

/** The id of ports whose tools are called in any session: those of a program that uses the library. */
export const anySession = '*'

/** A session's ports for its servers. */
export interface McpClientPorts {
  readonly cwd: string
  /** The filtered environment that commands of tools get. */
  readonly env: Readonly<Record<string, string>>
  /** `anySession`: the calls of every session are those of these ports. */
  readonly sessionId: string
  /** Absolute folders. */
  readonly roots: readonly string[]
  /** Emits one answer; unsubscribing withdraws the question. */
  elicit(request: ElicitRequest): Observable<ElicitAnswer>
  /** Emits one answer. Called only for a server whose `sampling` is on. Absent: every request is refused. */
  sample?(request: SampleRequest): Observable<SampleAnswer>
  /** Hides secrets in text for people. */
  redact(text: string): string
  /** Something a person should know: a tool that was left out, a tool that changed. */
  onNotice(notice: { readonly server: string; readonly message: string }): void
}

/** A call that a server has not answered. */
export interface McpOpenCall {
  readonly ports: McpClientPorts
  readonly toolCallId: string
  /** Emits when the call ends: what the server asked meanwhile is withdrawn, also if the server does not withdraw it. */
  readonly ended$: Observable<unknown>
}

/** Finds the session to which a request of a server belongs. `answerRequests` of `requests/` gets it with each client. */
export interface McpRequestRouter {
  /** The session whose call is open, the last one if there are several. Undefined: the request is declined. */
  current(): McpOpenCall | undefined
  /** The roots of all sessions that use the connection. */
  roots(): readonly string[]
  /** Stops the clock of the open calls while a person or a model answers; the returned function starts it again. */
  pause(): () => void
}
