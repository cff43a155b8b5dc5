// Converts questions without choices into elicitations of ACP, and reads their responses.
import type { CreateElicitationRequest, CreateElicitationResponse, ElicitationSchema } from '@agentclientprotocol/sdk'
import { isRecord } from '../../../lib/streams/values/json.ts'
import type { Answer, Question } from './permission.ts'
import { refusalOf } from './permission.ts'

/** The elicitations that an editor shows. */
export interface ElicitationFeatures {
  readonly forms: boolean
  readonly pages: boolean
}

export interface Elicitation {
  readonly request: CreateElicitationRequest
  /** @param response its content is untrusted */
  answer(response: CreateElicitationResponse): Answer
}

/** The field of a question that takes a text. */
const textField = 'answer'

/** Undefined if the editor cannot show it. */
export function elicitationFor(
  question: Question,
  sessionId: string,
  { forms, pages }: ElicitationFeatures,
): Elicitation | undefined {
  const { text: message, requestId, toolCallId } = question
  const scope = { sessionId, message, ...(toolCallId === undefined ? {} : { toolCallId }) }
  if (question.type === 'question' && question.kind === 'url' && question.url !== undefined)
    return pages
      ? {
          request: { ...scope, mode: 'url', elicitationId: requestId, url: question.url },
          answer: (response) => choiceOf(response, {}),
        }
      : undefined
  if (!forms) return undefined
  if (question.type === 'question' && question.kind === 'form')
    return {
      request: { ...scope, mode: 'form', requestedSchema: schemaOf(question.schema) },
      answer: (response) => choiceOf(response, { values: contentOf(response) }),
    }
  return {
    request: { ...scope, mode: 'form', requestedSchema: textSchema },
    answer: (response) => textOf(question, response),
  }
}

const textSchema: ElicitationSchema = {
  type: 'object',
  properties: { [textField]: { type: 'string', title: 'Answer' } },
  required: [textField],
}

/** A server of MCP asks: accept, decline or cancel, in both protocols. */
function choiceOf(response: CreateElicitationResponse, values: object): Answer {
  const { action } = response
  if (action === 'accept') return { outcome: { choice: 'accept', ...values } }
  return { outcome: { choice: action === 'decline' ? 'decline' : 'cancel' } }
}

function textOf(question: Question, response: CreateElicitationResponse): Answer {
  const text = contentOf(response)[textField]
  if (response.action !== 'accept' || typeof text !== 'string') return refusalOf(question)
  return { outcome: question.type === 'question' ? { choice: 'answer', text } : text }
}

function contentOf(response: CreateElicitationResponse): Readonly<Record<string, unknown>> {
  return 'content' in response && isRecord(response.content) ? response.content : {}
}

/** The session has checked it: an object whose properties are flat, as in MCP. */
function schemaOf(schema: Readonly<Record<string, unknown>> | undefined): ElicitationSchema {
  const properties = isRecord(schema?.['properties']) ? schema['properties'] : {}
  const { required } = schema ?? {}
  return {
    type: 'object',
    properties: properties as NonNullable<ElicitationSchema['properties']>,
    ...(Array.isArray(required) ? { required: required.map(String) } : {}),
  }
}
