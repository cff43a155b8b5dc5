// Appends whole messages at the head, and the notes of a session's context before a request.
import type { Conversation } from '../../operators/ports/run-ports.ts'
import { bashExecutionIn } from '../../streams/messages/bash-execution.ts'
import { contextMessage, contextMessageIn } from '../../streams/messages/context-message.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { Message } from '../../streams/messages/message.ts'
import {
  EMPTY,
  NEVER,
  asapScheduler,
  asyncScheduler,
  catchError,
  concat,
  concatMap,
  observeOn,
  of,
  takeUntil,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import type { ContextNotes, ContextUpdate } from '../../streams/ports/context-notes.ts'
import { contextKey } from '../../streams/state/fold-context.ts'
import type { ContextState } from '../../streams/state/fold-context.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import type { SessionSettings } from './session-settings.ts'

/** Returns `message_start`, without the output of a command or the text of a note, and `message_end`. */
export function appendMessage(
  message: Message,
  { nextEntryId, headEntryId: parentId, append }: Pick<Conversation, 'nextEntryId' | 'headEntryId' | 'append'>,
): AgentEvent[] {
  const entryId = nextEntryId()
  append(entryId, message)
  return [
    { type: 'message_start', entryId, parentId, message: startOf(message) },
    { type: 'message_end', entryId, parentId, message },
  ]
}

function startOf(message: Message): Message {
  const note = contextMessageIn(message)
  if (note !== undefined) return contextMessage({ ...note, content: '' })
  return bashExecutionIn(message) === undefined ? message : { ...message, ...{ output: '' } }
}

interface ContextUpdateOptions {
  readonly notes: Pick<ContextNotes, 'due'>
  readonly settings: Pick<SessionSettings, 'dueNote'>
  readonly conversation: Conversation
  /** Its stop ends the wait for notes; those that were not read stay due. */
  readonly activeRun: { readonly running: { readonly stop: Pick<StopSwitch, 'stop$'> } | undefined }
  /** The state of the session: a file is written to the log once for each digest. */
  state(): ContextState
}

/**
 * Emits the events of the notes that are due, state first; undefined if there are none. A note that cannot be read
 * becomes a `warning`, and the run goes on.
 */
export function contextUpdates({
  notes,
  settings,
  conversation,
  activeRun,
  state,
}: ContextUpdateOptions): Observable<AgentEvent> | undefined {
  const messages = messagesOf(conversation)
  if (messages === undefined) return undefined
  const updates$ = notes.due(messages)
  const note = settings.dueNote(messages)
  const due$ = note === undefined ? updates$ : concat(of({ type: 'note', note } as const), updates$ ?? EMPTY)
  const stop$ = activeRun.running?.stop.stop$ ?? NEVER
  // in the next microtask: what is due without a wait is in the log, and a message that has begun ends
  const untilStop$ = due$?.pipe(takeUntil(stop$.pipe(observeOn(asapScheduler))))
  return untilStop$?.pipe(
    concatMap((update) => eventsOf(update, conversation, state())),
    catchError((error: unknown) => of(warning('instructions', `The instruction files: ${describeThrown(error)}`))),
  )
}

/** Undefined if the log is damaged there: the request that follows reads the same messages, and reports it. */
function messagesOf(conversation: Conversation): readonly Message[] | undefined {
  try {
    return conversation.messages
  } catch {
    return undefined
  }
}

function eventsOf(update: ContextUpdate, conversation: Conversation, { contextAdded }: ContextState): AgentEvent[] {
  switch (update.type) {
    case 'problem':
      return [warning(update.code, update.message)]
    case 'in_prompt': {
      const { added } = update
      return contextAdded[contextKey(added)] === added.digest ? [] : [{ type: 'context_added', ...added }]
    }
    case 'note': {
      const { kind, path, digest } = update.note
      const events = appendMessage(contextMessage({ ...update.note, timestamp: asyncScheduler.now() }), conversation)
      const entryId = conversation.headEntryId ?? ''
      return path === undefined ? events : [...events, { type: 'context_added', kind, path, digest, text: '', entryId }]
    }
  }
}

function warning(code: string, message: string): AgentEvent {
  return { type: 'warning', code, message, recoverable: true }
}
