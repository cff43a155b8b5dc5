// Changes what the model receives of single entries: hides, replaces, restores and pins them.
import type { EventNamed } from '../../streams/events/event.ts'
import type { Message } from '../../streams/messages/message.ts'
import { contextMessages } from '../../streams/state/context-messages.ts'
import { hiddenResultText } from '../../streams/state/fold-context-changes.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionCommand } from '../contract/session.ts'
import type { SessionCore } from '../runs/session-core.ts'
import { busyFailure, untilSettled } from './validate-input.ts'

type Named<Name extends SessionCommand['type']> = Extract<SessionCommand, { type: Name }>

export interface EditTarget {
  readonly core: Pick<SessionCore, 'conversation'>
  readonly state: SessionState
  readonly isRunning: boolean
}

/**
 * State first: the next request has the edit. A result is never without text, and an answer keeps its calls.
 * @throws Failure
 */
export function editContext(
  { entryId, hide = false, text }: Named<'context_edit'>,
  { core: { conversation }, state, isRunning }: EditTarget,
): EventNamed<'context_edit'> {
  if (isRunning) throw busyFailure(untilSettled)
  if (hide && text !== undefined) throw new Failure('bad_request', 'context_edit takes hide or text, not both')
  const message = messageOf(entryId, state)
  const replacement = hide ? hidden(message) : text === undefined ? message : withText(message, text)
  const edits = new Map(state.edits).set(entryId, { replacement, seq: state.seq })
  conversation.moveTo(state.headEntryId, contextMessages({ ...state, edits }))
  return { type: 'context_edit', targetEntryId: entryId, replacement }
}

/** Most pins of a session: each takes room in every request. */
const mostPins = 50

/** @throws Failure `bad_request` for a result, or one pin too many */
export function pinEntry(
  { entryId, pinned }: Named<'context_pin'>,
  { state }: Pick<EditTarget, 'state'>,
): EventNamed<'context_pin'> {
  const message = messageOf(entryId, state)
  if (pinned && message.role === 'toolResult')
    throw new Failure('bad_request', 'A tool result cannot be pinned without its call; pin the answer that follows it')
  if (pinned && !state.pins.has(entryId) && state.pins.size >= mostPins)
    throw new Failure('bad_request', `The session has ${mostPins} pinned entries, which is the most; unpin one first`)
  return { type: 'context_pin', targetEntryId: entryId, pinned }
}

/** @throws Failure `bad_request` */
function messageOf(entryId: string, { entries, summaries }: SessionState): Message {
  const message = entries.get(entryId)?.message
  if (message !== undefined) return message
  const why = summaries.has(entryId)
    ? 'is a summary; move the head before it instead'
    : 'is not in the session; rxpi sessions tree (get_tree) lists the entries'
  throw new Failure('bad_request', `The entry "${entryId}" ${why}`)
}

/** @throws Failure `bad_request` for an answer with calls, whose results would answer nothing */
function hidden(message: Message): Message | null {
  if (message.role === 'toolResult') return withText(message, hiddenResultText)
  if (message.role !== 'assistant' || !message.content.some(({ type }) => type === 'toolCall')) return null
  throw new Failure('bad_request', 'This answer has tool calls; hide their results, or replace its text')
}

/** @throws Failure `bad_request` for a message of another role */
function withText(message: Message, text: string): Message {
  const part = { type: 'text', text } as const
  switch (message.role) {
    case 'user':
      return { ...message, content: text }
    case 'toolResult':
      return { ...message, content: [part] }
    case 'assistant':
      return { ...message, content: [part, ...message.content.filter(({ type }) => type === 'toolCall')] }
    default:
      throw new Failure('bad_request', 'Only messages of the user, answers and tool results can be replaced')
  }
}
