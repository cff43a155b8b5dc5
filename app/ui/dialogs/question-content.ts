// Words a question for its dialog: head with source, exact content, choices, and the answer of Esc.
import { markdownLines } from '../markdown/markdown-lines.ts'
import { span, spanLines } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { wrapLine } from '../text/wrap-line.ts'
import type { OpenQuestion } from '../view/fold-questions.ts'
import { choicesOf, declineAnswer, initialChoice, textAnswer, togetherChoice, togetherChoices } from './choices.ts'
import type { Choice, Picked } from './choices.ts'
import { exactLines } from './exact-lines.ts'

/** Content of a dialog: one question, or several. */
export interface QuestionContent {
  readonly head: string
  /** True if rxpi itself asks for an approval: only such a dialog has a double frame. */
  readonly isApproval: boolean
  /** At most `columns` cells a line. */
  lines(columns: number): readonly Line[]
  /** Empty: only a text answers. */
  readonly choices: readonly Choice[]
  /** Index of the choice of Enter. */
  readonly initial: number
  readonly decline: Picked
  /** The answer of a text, if there are no choices. */
  textAnswer(text: string): Picked
  readonly timeoutMs?: number | undefined
  /** The outcome when the time is over. */
  readonly unanswered: string
}

/** @param approvals the open approvals of rxpi, in order; the question may be one of them */
export function questionContent(question: OpenQuestion, approvals: readonly OpenQuestion[] = []): QuestionContent {
  const index = approvals.indexOf(question)
  const isOneOf = index !== -1 && approvals.length > 1
  const choices = [...choicesOf(question), ...(isOneOf ? [togetherChoice(approvals.length)] : [])]
  return {
    head: `${headOf(question)}${isOneOf ? ` (${index + 1} of ${approvals.length})` : ''}`,
    isApproval: isApproval(question),
    lines: (columns) => questionLines(question, columns),
    choices,
    initial: initialChoice(question, choices),
    decline: declineAnswer(question),
    textAnswer: (text) => textAnswer(question, text),
    timeoutMs: question.timeoutMs,
    unanswered: unansweredText(question),
  }
}

/** All approvals in full, one below the other. */
export function togetherContent(approvals: readonly OpenQuestion[]): QuestionContent {
  return {
    head: `APPROVALS — rxpi asks before these ${approvals.length} run`,
    isApproval: true,
    lines: (columns) =>
      approvals.flatMap((question, index) => [
        ...(index === 0 ? [] : [[]]),
        ...wrapLine([span(`${index + 1}. `, 'accent'), span(question.text, 'strong')], { columns }),
        ...factLines(question, columns),
      ]),
    choices: togetherChoices,
    initial: 0,
    decline: { type: 'single' },
    textAnswer: () => ({ type: 'single' }),
    unanswered: 'no',
  }
}

/** True if rxpi itself asks whether a call may run. */
export function isApproval({ kind, source }: Pick<OpenQuestion, 'kind' | 'source'>): boolean {
  return kind === 'approval' && source === 'core'
}

/** True if rxpi itself shows the plan of the model. */
function isPlan({ kind, source }: OpenQuestion): boolean {
  return kind === 'plan' && source === 'core'
}

/** The heading names the source: no extension or tool can imitate an approval of rxpi. */
export function headOf(question: OpenQuestion): string {
  if (isApproval(question)) return 'APPROVAL — rxpi asks before this runs'
  if (isPlan(question)) return 'THE PLAN — nothing has changed yet'
  const { source } = question
  if (source === 'core' || source === 'host') return 'A question'
  const server = /^mcp:(.*)$/s.exec(source)?.[1]
  if (server !== undefined) return `The MCP server “${span(server).text}” asks`
  const tool = /^tool:(.*)$/s.exec(source)?.[1]
  return tool === undefined ? `The extension “${span(source).text}” asks` : `The tool “${span(tool).text}” asks`
}

function questionLines(question: OpenQuestion, columns: number): readonly Line[] {
  return [...textLines(question, columns), ...(isPlan(question) ? [] : factLines(question, columns))]
}

/** A plan is Markdown. */
function textLines(question: OpenQuestion, columns: number): readonly Line[] {
  if (isPlan(question)) return markdownLines(question.text, columns)
  return [...spanLines(question.text, 'strong'), ...pageLines(question)].flatMap((line) => wrapLine(line, { columns }))
}

/** The page that a person may open: its host first, because the rest of an address can mislead. */
function pageLines(question: OpenQuestion): readonly Line[] {
  if (question.type === 'ui_request' || question.url === undefined) return []
  const { url } = question
  const host = URL.canParse(url) ? new URL(url).host : 'no host'
  return [[span(`A page of ${host}:`, 'warning')], ...spanLines(url, 'accent')]
}

/** The danger, the reason and the exact subject. */
function factLines(question: OpenQuestion, columns: number): readonly Line[] {
  const { tool, reason } = question
  const about = [tool, reason].filter((part) => part !== undefined).join(': ')
  const lines = [...dangerLines(question), ...(about === '' ? [] : [[span(about, 'dim')]])]
  return [...lines.flatMap((line) => wrapLine(line, { columns })), ...exactLines(question, columns)]
}

/** `! critical: recursive delete` */
function dangerLines(question: OpenQuestion): Line[] {
  if (question.type === 'ui_request' || question.class === undefined) return []
  const { class: found, tier } = question
  const words = [tier, found.replaceAll('_', ' ')].filter((part) => part !== undefined).join(': ')
  return [[span(`! ${words}`, tier === 'medium' ? 'warning' : 'danger')]]
}

function unansweredText(question: OpenQuestion): string {
  const usual = question.type === 'ui_request' ? question.default : question.default?.choice
  return question.kind === 'approval' || usual === undefined ? 'no' : JSON.stringify(usual)
}
