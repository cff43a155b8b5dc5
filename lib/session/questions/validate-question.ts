// Validates a question of a host or a tool, so that it cannot pass for an approval.
import type { Question } from '../../streams/ports/ask.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { QuestionRequest } from './ui-requests.ts'

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
