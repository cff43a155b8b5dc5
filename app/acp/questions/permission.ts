// Converts questions with choices into permission requests of ACP, and reads the chosen option.
import path from 'node:path'
import type { PermissionOption, RequestPermissionRequest, ToolCallUpdate } from '@agentclientprotocol/sdk'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { isRecord } from '../../../lib/streams/values/json.ts'
import { firstUnits } from '../../../lib/streams/values/truncate.ts'
import { kindOf, locationsOf, titleOf } from '../updates/call-title.ts'
import { diffContent, requestedDiff } from '../updates/diff-content.ts'

export type Question = EventNamed<'ui_request' | 'question'>

/** An answer for `ui_response`. */
export interface Answer {
  readonly outcome: unknown
  /** Explains a denial of a `ui_request` to the model. */
  readonly text?: string
}

interface Choice {
  readonly option: PermissionOption
  readonly answer: Answer
}

/** The options of a question from the least to the most; undefined if only a text or a form answers it. */
function choicesOf(question: Question): Choice[] | undefined {
  const { type, kind } = question
  const choice = (
    optionId: string,
    name: string,
    optionKind: PermissionOption['kind'],
    value: unknown = optionId,
  ): Choice => ({
    option: { optionId, name, kind: optionKind },
    answer: { outcome: type === 'question' ? { choice: value, ...patternPart(question, value) } : value },
  })
  const deny = choice('deny', 'No', 'reject_once')
  switch (kind) {
    case 'approval':
      return [deny, ...(question.choices ?? ['once']).flatMap((name) => allowing(question, name, choice))]
    case 'confirm':
      return [choice('no', 'No', 'reject_once', false), choice('yes', 'Yes', 'allow_once', true)]
    case 'plan':
      return [
        choice('reject', 'No, go on planning', 'reject_once'),
        choice('accept', 'Yes, carry it out', 'allow_once'),
      ]
    case 'phase':
      return [choice('stay', 'Stay in this phase', 'reject_once'), choice('enter', 'Yes, go on', 'allow_once')]
    default: {
      const names =
        question.type === 'question' ? (question.choices ?? question.options ?? []) : (question.options ?? [])
      if (kind === 'form' || kind === 'url' || kind === 'multi' || names.length === 0) return undefined
      return names.map((name) => choice(name, name, 'allow_once'))
    }
  }
}

type MakeChoice = (optionId: string, name: string, kind: PermissionOption['kind']) => Choice

function allowing(question: Question, name: string, choice: MakeChoice): Choice[] {
  switch (name) {
    case 'deny':
      return []
    case 'once':
      return [choice('once', 'Yes, this once', 'allow_once')]
    case 'session':
      return [choice('session', 'Yes, for the rest of this session', 'allow_always')]
    case 'project':
      return [choice('project', 'Yes, always in this project', 'allow_always')]
    case 'always': {
      const pattern = question.type === 'question' ? question.pattern : undefined
      return pattern === undefined ? [] : [choice('always', `Yes, always for ${pattern}`, 'allow_always')]
    }
    default:
      return [] // of a newer server
  }
}

/** `always` covers what the option shows. */
function patternPart(question: Question, value: unknown): { readonly pattern?: string } {
  const isPattern = value === 'always' && question.type === 'question' && question.pattern !== undefined
  return isPattern ? { pattern: question.pattern } : {}
}

export interface Permission {
  readonly request: RequestPermissionRequest
  /** @param optionId untrusted; undefined: the person closed the question */
  answer(optionId: string | undefined): Answer
}

/** Undefined if the question has no choices. @param cwd absolute folder of the session */
export function permissionFor(question: Question, sessionId: string, cwd: string): Permission | undefined {
  const choices = choicesOf(question)
  if (choices === undefined) return undefined
  return {
    request: { sessionId, toolCall: callOf(question, cwd), options: choices.map(({ option }) => option) },
    answer: (optionId) => choices.find(({ option }) => option.optionId === optionId)?.answer ?? refusalOf(question),
  }
}

/** The call that the question is about; one of its own for a question about no call. */
function callOf(question: Question, cwd: string): ToolCallUpdate {
  const { toolCallId, requestId, tool, args, text, reason, kind } = question
  const facts = isRecord(args) ? args : {}
  const words = kind === 'approval' ? reason : text
  const file = typeof facts['path'] === 'string' ? path.resolve(cwd, facts['path']) : undefined
  const shown = question.diff === undefined || file === undefined ? [] : diffContent(question.diff, file)
  const changes = shown.length > 0 ? shown : requestedDiff(facts, cwd)
  const remark =
    words === undefined || words === ''
      ? []
      : [{ type: 'content' as const, content: { type: 'text' as const, text: words } }]
  const isAboutCall = tool !== undefined
  return {
    toolCallId: toolCallId ?? requestId,
    title: isAboutCall ? titleOf(tool, facts) : firstLine(text),
    kind: isAboutCall ? kindOf(tool) : kind === 'plan' || kind === 'phase' ? 'switch_mode' : 'other',
    status: 'pending',
    content: [...remark, ...changes],
    ...(isAboutCall ? { locations: locationsOf(facts, cwd), rawInput: facts } : {}),
  }
}

function firstLine(text: string): string {
  return firstUnits(text.split('\n', 1)[0] ?? '', 200)
}

/** The answer if nobody decides: nothing runs, nothing is chosen. @param text tells the model why */
export function refusalOf(question: Question, text?: string): Answer {
  const { type, kind } = question
  const words = text === undefined ? {} : { text }
  if (type === 'question') {
    const usual = question.default?.choice ?? (kind === 'approval' ? 'deny' : 'cancel')
    return { outcome: { choice: usual, ...(kind === 'approval' ? words : {}) } }
  }
  if (kind === 'approval') return { outcome: 'deny', ...words }
  return { outcome: kind === 'confirm' ? false : null }
}
