// Words the results of the tools of `rxpi mcp serve`; each is bounded.
import { firstUnits } from '../../lib/streams/values/truncate.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import { describeRunEnd } from '../text/run-end-reason.ts'
import { exitCodeOfRun } from '../process/exit-code.ts'
import type { LastStep, OpenRun } from './run-hub.ts'

/** As the protocol has it. */
export interface ToolAnswer {
  content: { type: 'text'; text: string }[]
  structuredContent: Record<string, unknown>
  isError?: boolean
  [more: string]: unknown
}

/** UTF-16 units of a text in a result. */
const longestText = 50_000

export function answerOf(text: string, structuredContent: Record<string, unknown>, isError = false): ToolAnswer {
  const cut = text.length > longestText
  const shown = cut ? `${firstUnits(text, longestText)}\n[cut: ${text.length} characters; read_session has them]` : text
  return { content: [{ type: 'text', text: shown }], structuredContent, ...(isError ? { isError } : {}) }
}

export function runAnswer({ session }: Pick<OpenRun, 'session'>, last: LastStep): ToolAnswer {
  if (last.type === 'handled') return answerOf(last.text, { session, reason: 'handled' })
  const { end, answer, runId } = last.end
  const { refused } = last
  const failed = describeRunEnd(end)
  const refusedText =
    refused.length === 0
      ? undefined
      : `Calls of these tools asked, and no client could answer: ${refused.join(', ')}. Allow them in rxpi's settings.`
  const text = [answer, failed, refusedText].filter((each) => each !== undefined && each !== '').join('\n\n')
  const { cost } = end.usage
  const structured = {
    session,
    ...(runId === undefined ? {} : { runId }),
    reason: end.terminationReason,
    turns: end.totalTurns,
    ...(cost === 'unknown' ? {} : { usd: cost.total }),
    ...(refused.length === 0 ? {} : { refused: [...refused] }),
  }
  return answerOf(text === '' ? '(no text)' : text, structured, exitCodeOfRun(end) !== 0)
}

/** A failure with its code; the session, if the call has begun one. */
export function failureAnswer(thrown: unknown, session?: string): ToolAnswer {
  const { code, message } = Failure.from(thrown)
  return answerOf(`${code}: ${message}`, { code, message, ...(session === undefined ? {} : { session }) }, true)
}
