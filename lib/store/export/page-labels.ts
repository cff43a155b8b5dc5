// Provides the titles, times and labels of a session's pages.
import { displayText } from '../../streams/messages/message-text.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { PathStep, SessionPath } from './session-path.ts'
import { countOf } from '../../streams/values/count-of.ts'

/** The session's title, or the first line of its first message. */
export function pageTitle({ title, steps }: SessionPath): string {
  if (title !== undefined && title.trim() !== '') return title
  for (const { event } of steps) {
    if (event.type !== 'message_end' || event.message.role !== 'user') continue
    const [line = ''] = displayText(event.message).trim().split('\n')
    if (line !== '') return line.length > 80 ? `${line.slice(0, 80)}…` : line
  }
  return 'A session without words'
}

const lastTime = 8.64e15

/** `2025-11-20 23:33:50 UTC`. */
export function pageTime(at: number): string {
  return `${new Date(Math.min(at, lastTime)).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** A step that is not a message, as a short phrase. */
export function stepWords({ event }: PathStep): string {
  switch (event.type) {
    case 'model_change':
      return `The model is now ${event.to}${event.reason === undefined ? '' : `: ${event.reason}`}`
    case 'thinking_level_change':
      return `Thinking is now ${event.to}`
    case 'compaction':
      return `${summarisedWords(event.messages)} (${event.tokensBefore} tokens became ${event.tokensAfter})`
    case 'branch_summary':
      return 'Another branch was left and summarised'
    case 'message_end':
      return event.message.role
  }
}

function summarisedWords(messages: number | undefined): string {
  if (messages === undefined) return 'Earlier messages were summarised'
  return `${countOf(messages, 'message')} ${messages === 1 ? 'was' : 'were'} summarised`
}

/** Why an answer is incomplete; undefined if it is complete. */
export function endWords(message: Message): string | undefined {
  if (message.role !== 'assistant') return undefined
  const { stopReason, errorMessage } = message
  const reason = {
    stop: undefined,
    toolUse: undefined,
    length: 'Cut at the length limit',
    error: 'Failed',
    aborted: 'Aborted',
  }[stopReason]
  if (reason === undefined) return undefined
  return errorMessage === undefined ? reason : `${reason}: ${errorMessage}`
}
