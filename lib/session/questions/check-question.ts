// A question that could not be shown, answered or written is refused before anybody sees it.
import type { EventNamed } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import { outcomeProblem } from '../../streams/ports/outcome-problem.ts'
import { checkEvent } from '../../streams/validation/validators.ts'

/** UTF-16 units of what is shown. */
const longestText = 65_536
const mostOptions = 1_000
const longestDelayMs = 2 ** 31 - 1

/** @throws Failure `bad_request` naming what does not fit */
export function checkQuestion(request: EventNamed<'ui_request'>): void {
  const problem = problemOf(request)
  if (problem !== undefined) throw new Failure('bad_request', `This cannot be asked: ${problem}`)
}

function problemOf(request: EventNamed<'ui_request'>): string | undefined {
  const checked = checkEvent(request)
  if (!checked.ok) return checked.problem
  const { kind, text, options = [], timeoutMs = 1 } = request
  if (text.length > longestText) return `text has ${text.length} characters, the most is ${longestText}`
  if (options.length > mostOptions) return `there are ${options.length} options, the most is ${mostOptions}`
  if (kind === 'select' && options.length === 0) return 'select needs options'
  if (timeoutMs <= 0 || timeoutMs > longestDelayMs) return `timeoutMs is ${timeoutMs}, not 1 to ${longestDelayMs}`
  return request.default === undefined || kind === 'approval' ? undefined : outcomeProblem(request, request.default)
}
