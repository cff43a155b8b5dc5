// Passes a server's request for a model's answer to the session, which asks a person and counts it.
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'
import type { RequestTypeMap, ResultTypeMap } from '@modelcontextprotocol/client'
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { McpClientPorts, SampleMessage, SampleRequest } from '../contract/mcp-requests.ts'
import { dataText, describingLine } from '../content/foreign-text.ts'

type Method = 'sampling/createMessage'
type Params = RequestTypeMap[Method]['params']

const maxMessages = 100
/** UTF-8 bytes of all texts of one request. */
const maxBytes = 256 * 1_024
const maxTokens = 32_768
const maxStops = 16

export interface Sampled {
  readonly server: string
  readonly sample: NonNullable<McpClientPorts['sample']>
}

/**
 * Emits the answer, or nothing if a person refuses.
 * @throws ProtocolError `InvalidParams` for what is not text, or too long
 */
export function answerSampling(params: Params, { server, sample }: Sampled): Observable<ResultTypeMap[Method]> {
  return sample(toRequest(server, params)).pipe(
    map(({ text, model, stopReason }) => ({ role: 'assistant', content: { type: 'text', text }, model, stopReason })),
  )
}

function toRequest(server: string, params: Params): SampleRequest {
  const { messages, systemPrompt, maxTokens: wanted, temperature, stopSequences, modelPreferences } = params
  if (params.tools !== undefined) throw invalid('a sample has no tools here')
  if (messages.length === 0 || messages.length > maxMessages) throw invalid(`it needs 1 to ${maxMessages} messages`)
  const texts = messages.map(toMessage)
  const bytes = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), Buffer.byteLength(systemPrompt ?? ''))
  if (bytes > maxBytes) throw invalid(`its texts have ${bytes} bytes; ${maxBytes} are allowed`)
  const models = (modelPreferences?.hints ?? []).flatMap(({ name }) =>
    name === undefined ? [] : [describingLine(name, 256)],
  )
  return {
    server,
    messages: texts,
    ...(systemPrompt !== undefined && { system: dataText(systemPrompt) }),
    maxTokens: Math.max(1, Math.min(Math.floor(wanted), maxTokens)),
    ...(temperature !== undefined && { temperature }),
    ...(stopSequences !== undefined && { stop: stopSequences.slice(0, maxStops) }),
    ...(models.length > 0 && { models: models.slice(0, maxStops) }),
  }
}

function toMessage({ role, content }: Params['messages'][number]): SampleMessage {
  const text = [content].flat().map((block) => {
    if (block.type === 'text') return dataText(block.text)
    throw invalid(`content of the type ${block.type} is not supported`)
  })
  return { role, text: text.join('\n') }
}

function invalid(reason: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `The request cannot be answered: ${reason}.`)
}
