// Declares a session: one ordered stream of events, and commands that act at once.
import type { Observable } from 'rxjs'
import type { Answer, Question } from '../../streams/ports/ask.ts'
import type { Behavior } from '../../streams/rx/behavior.ts'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { SessionHeader } from '../../streams/log/log-line.ts'
import type { Model } from '../../streams/models/model.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { ThinkingLevel } from '../../streams/models/model.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'

/** The commands that a session itself answers. */
export type SessionCommandType =
  | 'prompt'
  | 'steer'
  | 'follow_up'
  | 'abort'
  | 'continue'
  | 'clear_queue'
  | 'edit_queued'
  | 'remove_queued'
  | 'user_bash'
  | 'kill_job'
  | 'set_model'
  | 'set_thinking_level'
  | 'set_active_tools'
  | 'set_queue_mode'
  | 'branch_session'
  | 'rename_session'
  | 'set_label'
  | 'undo'
  | 'ui_response'

/** A command as `send` takes it: the wire's fields without the session's name; a model may be given itself. */
export type SessionCommand =
  | { [Name in Exclude<SessionCommandType, 'set_model'>]: Omit<CommandNamed<Name>, 'session'> }[Exclude<
      SessionCommandType,
      'set_model'
    >]
  | { readonly type: 'set_model'; readonly model: string | ProviderModel }

/** Where a reader starts. */
export interface ReadFrom {
  /** The `seq` after which to start reading the log; default 0: everything. */
  readonly after?: number
}

export interface Offer {
  /** The tools are neither registered nor active any more. A second call does nothing. */
  withdraw(): void
}

/**
 * Adds tools, in the place of those of `instead`, if given, which is withdrawn by that.
 * @param changed called when the tools are exchanged, before the event tells it; never where the offer is refused
 * @throws Failure `bad_request` if a name is taken, or what the log's `readOnly` says
 */
export type OfferTools = (tools: readonly AnyTool[], instead?: Offer, changed?: () => void) => Offer

export interface Session {
  readonly id: string
  readonly header: SessionHeader
  /** Line 1 of the log, without its line feed. */
  readonly headerLine: string
  /** What the next request goes to. */
  readonly model: Model
  /** Of the next request. */
  readonly thinkingLevel: ThinkingLevel
  /** What the next request is given. */
  readonly activeTools: readonly AnyTool[]
  /** What `set_active_tools` chooses from. */
  readonly registeredTools: readonly AnyTool[]
  /**
   * Every line that it was opened on has been checked. Until then (a long log, opened at its end) damage may still be found: a
   * `warning` tells it, and the session takes nothing more when its run has ended.
   */
  readonly isVerified: boolean
  /** What the session is now, folded from its events; `state.seq` says up to where. */
  readonly state$: Behavior<SessionState>
  /** Live events, whole. Never fails; completes when the session is closed. */
  readonly events$: Observable<AgentEvent>
  /**
   * Live records: the same events as they were recorded, durable ones with `seq` and `line`. They are told in the same
   * synchronous stretch in which they were written and folded: who subscribes sees exactly what comes after `state$.value.seq`.
   */
  readonly records$: Observable<SessionRecord>
  /** The log after `after`, then live, without gap or repeat. */
  events(from?: ReadFrom): Observable<AgentEvent>
  records(from?: ReadFrom): Observable<SessionRecord>
  /** The durable records of the log after `after`, read lazily; what is written while it is read is read too. */
  logged(from?: ReadFrom): Iterable<SessionRecord>
  /**
   * Acts at once and returns the answer, replayed to every subscriber; whether anybody subscribes changes nothing. Fails
   * with a Failure: `busy`, `overloaded`, `storage`, `bad_request` …
   */
  send<Name extends SessionCommandType>(
    command: { readonly type: Name } & Extract<SessionCommand, { type: Name }>,
    options?: { readonly opId?: string },
  ): Observable<ResultOf<Name>>
  /**
   * Calls the listener with each event, in order, as it is told. Returns what ends that. A listener can hold nothing up and
   * hurts nobody: its first throw is told as a `warning` event, `listener_failed`, and on stderr; it goes on being called.
   */
  listen(listener: (event: AgentEvent) => void): () => void
  /**
   * Asks whoever can answer: each subscription is a question of its own. `source` names who asks, as people are shown it:
   * default `host`.
   */
  ask(question: Question & { readonly source?: string }): Observable<Answer>
  /**
   * Never emits. While it is subscribed somebody can answer (by `ui_response`), and for 30 s after: without that, a question
   * comes to its default at once.
   */
  readonly answering$: Observable<never>
  /**
   * Adds tools, registered and active until they are withdrawn; each change is an `active_tools_change`. With `instead` they
   * take the place of an earlier offer.
   * @throws Failure `bad_request` if a name is taken, `read_only` where nothing can be written
   */
  readonly offer: OfferTools
  /** Ends the run that is on with this reason, and people's own commands. `abort` and `kill_job` are the commands for people. */
  stop(reason: 'client_disconnected' | 'server_shutdown'): void
  /** Ends a run (`server_shutdown`), syncs and closes the log; completes when nothing is left behind. */
  close(): Observable<never>
}
