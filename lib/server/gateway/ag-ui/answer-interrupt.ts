// Turns the answer of a front end to an interrupt into the answer to a question of the session.
import type { EventNamed } from '../../../streams/events/event.ts'
import { defaultOutcome, defaultQuestionOutcome } from '../../../streams/ports/ask.ts'
import { isRecord } from '../../../streams/values/json.ts'
import type { ResumeEntry } from './read-run-input.ts'

export type OpenQuestion = EventNamed<'ui_request'> | EventNamed<'question'>

/**
 * The `outcome` of `ui_response`. The payload is that outcome; of an approval `{approved: true}` works too, and of a
 * `question` its choice alone. An abandoned interrupt gets what the question gets without an answer.
 */
export function interruptOutcome(question: OpenQuestion, { status, payload }: ResumeEntry): unknown {
  if (status === 'cancelled')
    return question.type === 'question' ? defaultQuestionOutcome(question) : defaultOutcome(question)
  const answer = question.kind === 'approval' && isRecord(payload) ? (choiceOf(payload) ?? payload) : payload
  return question.type === 'question' && typeof answer === 'string' ? { choice: answer } : answer
}

function choiceOf({ approved }: Record<string, unknown>): string | undefined {
  if (typeof approved !== 'boolean') return undefined
  return approved ? 'once' : 'deny'
}
