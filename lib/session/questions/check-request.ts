// Checks questions of the session, hosts and tools before they are sent, and answers of clients.
import type { EventNamed } from '../../streams/events/event.ts'
import type { QuestionOutcome } from '../../streams/events/feature-event-fields.ts'
import { outcomeProblem } from '../../streams/ports/ask.ts'
import { checkEvent } from '../../streams/validation/validators.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { RequestEvent } from './open-request.ts'
import type { Question } from '../../streams/ports/ask.ts'

/** A request without the fields that the session sets. */
export type QuestionRequest = Omit<EventNamed<'ui_request'>, 'type' | 'requestId'>

/** UTF-16 units of the text. */
const maxTextLength = 65_536
/** UTF-16 units of a rule, as in the settings. */
const maxPatternLength = 1_000
const maxOptions = 1_000
const maxTimeoutMs = 2 ** 31 - 1

/** @throws Failure `bad_request` naming what does not fit */
export function checkRequest(request: RequestEvent): void {
  const problem = requestProblem(request)
  if (problem !== undefined) throw new Failure('bad_request', `The question is invalid: ${problem}`)
}

function requestProblem(request: RequestEvent): string | undefined {
  const checked = checkEvent(request)
  if (!checked.ok) return checked.problem
  const { kind, text, options = [], timeoutMs = 1 } = request
  if (text.length > maxTextLength) return `text has ${text.length} characters; the limit is ${maxTextLength}`
  if (options.length > maxOptions) return `there are ${options.length} options; the limit is ${maxOptions}`
  if (kind === 'select' && options.length === 0) return 'a select needs at least one option'
  if (timeoutMs <= 0 || timeoutMs > maxTimeoutMs) return `timeoutMs is ${timeoutMs}; it must be 1 to ${maxTimeoutMs}`
  if (request.type === 'question' || request.default === undefined || kind === 'approval') return undefined
  return outcomeProblem(request, request.default)
}

/** Why this cannot be the answer to the request; undefined if it can. */
export function answerProblem(request: RequestEvent, outcome: unknown, text: string | undefined): string | undefined {
  if (request.type === 'question')
    return text === undefined
      ? questionProblem(request, outcome)
      : 'a question takes its text inside the outcome: outcome.text'
  const problem = outcomeProblem(request, outcome)
  if (problem !== undefined || text === undefined) return problem
  return request.kind === 'approval' && outcome === 'deny' ? undefined : onlyWithDenial
}

const onlyWithDenial = 'text is only valid with a denial: it is a message to the model'

function questionProblem(request: EventNamed<'question'>, outcome: unknown): string | undefined {
  const { requestId, kind, choices = [], pattern } = request
  const resolved: { readonly type: string } = Object.assign(
    { type: 'question_resolved' },
    { requestId, outcome, by: 'client' },
  )
  const checked = checkEvent(resolved)
  if (!checked.ok) return 'the outcome of a question is {choice, pattern?, text?, values?}'
  const answer = outcome as QuestionOutcome // just checked
  if (choices.length > 0 && !choices.includes(answer.choice)) return `choice is one of ${choices.join(', ')}`
  if ((answer.text ?? '').length > maxTextLength) return `text is longer than ${maxTextLength} characters`
  if ((answer.pattern ?? '').length > maxPatternLength) return `pattern is longer than ${maxPatternLength} characters`
  if (kind !== 'approval') return undefined
  if (answer.text !== undefined && answer.choice !== 'deny') return onlyWithDenial
  if (answer.pattern === undefined) return undefined
  const mayHavePattern = pattern !== undefined && (answer.choice === 'session' || answer.choice === 'always')
  return mayHavePattern ? undefined : 'pattern is only valid with "session" or "always" if the question has one'
}

const kinds: ReadonlySet<string> = new Set<Question['kind']>(['confirm', 'select', 'input', 'notify'])

/** @throws Failure `bad_request` for a kind that is the session's own */
export function validateQuestion(question: Question): Omit<QuestionRequest, 'source'> {
  const { kind, text, options, default: unanswered, timeoutMs } = question
  if (!kinds.has(kind))
    throw new Failure('bad_request', `A question cannot have the kind "${kind}"; valid kinds: ${[...kinds].join(', ')}`)
  return {
    kind,
    text,
    ...(options === undefined ? {} : { options: [...options] }),
    ...(unanswered === undefined ? {} : { default: unanswered }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}
