// Asks a question of a run by an elicitation of MCP, and reads its answer.
import { isRecord } from '../../lib/streams/values/json.ts'
import { firstUnits } from '../../lib/streams/values/truncate.ts'
import type { Question } from './agent-run.ts'
import { refusalOf } from './run-hub.ts'

/** A field of the form, as elicitations take it. */
type FormField =
  | { type: 'boolean'; title: string }
  | { type: 'string'; title: string }
  | { type: 'string'; title: string; enum: string[] }

export interface QuestionForm {
  readonly message: string
  readonly requestedSchema: {
    type: 'object'
    properties: Record<string, FormField>
    required: string[]
  }
}

/** UTF-16 units of a message: a diff may be long. */
const longestMessage = 8_000

export function questionForm(question: Question): QuestionForm {
  const { kind, options = [], choices = ['once', 'deny'] } = question
  const message = firstUnits(messageOf(question), longestMessage)
  switch (kind) {
    case 'approval':
      return form(message, { type: 'string', title: 'May the call run?', enum: [...choices] }, true)
    case 'select':
      return form(message, { type: 'string', title: 'Choice', enum: [...options] })
    case 'confirm':
      return form(message, { type: 'boolean', title: 'Yes or no' })
    default:
      return form(message, { type: 'string', title: 'Answer' })
  }
}

function form(message: string, answer: FormField, hasReason = false): QuestionForm {
  const reason = { type: 'string', title: 'Reason for the model, if denied' } as const
  return {
    message,
    requestedSchema: { type: 'object', properties: { answer, ...(hasReason && { reason }) }, required: ['answer'] },
  }
}

function messageOf({ text, tool, args, reason, diff }: Question): string {
  const call = tool === undefined ? [] : [`${tool} ${JSON.stringify(args ?? {})}`]
  return [text, ...call, ...(reason === undefined ? [] : [reason]), ...(diff === undefined ? [] : [diff])].join('\n')
}

export interface QuestionAnswer {
  readonly outcome: unknown
  /** Explains a denial. */
  readonly text?: string
}

/** Anything but an accepted answer that the question allows counts as a refusal. @param response untrusted */
export function readAnswer(
  { kind, options = [], choices = ['once', 'deny'] }: Question,
  response: unknown,
): QuestionAnswer {
  const refusal = { outcome: refusalOf(kind) }
  if (!isRecord(response) || response['action'] !== 'accept' || !isRecord(response['content'])) return refusal
  const { answer, reason } = response['content']
  if (kind === 'confirm') return typeof answer === 'boolean' ? { outcome: answer } : refusal
  if (typeof answer !== 'string') return refusal
  const allowed: readonly string[] | undefined = kind === 'approval' ? choices : kind === 'select' ? options : undefined
  if (allowed !== undefined && !allowed.includes(answer)) return refusal
  return {
    outcome: answer,
    ...(typeof reason === 'string' && reason !== '' ? { text: firstUnits(reason, 2_000) } : {}),
  }
}
