// Converts a provider request to the body of Mistral's `POST /v1/chat/completions`; pure.
import type {
  AssistantContent,
  AssistantMessage,
  ToolCall,
  ToolResultMessage,
  UserContent,
} from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'
import type { ProviderRequest } from '../../streams/ports/provider.ts'
import { createCallIdNames, exactCallId } from '../adapter/call-ids.ts'
import type { CallIdNames } from '../adapter/call-ids.ts'
import { isStrictSchema, outputLimit } from '../adapter/output-options.ts'
import { imageForModel, partText, wellFormedHistory } from '../adapter/well-formed-history.ts'
import type { HistoryMessage } from '../adapter/well-formed-history.ts'
import { openAiToolSchema } from '../schemas/tool-schema.ts'
import type { MistralCompat } from './mistral-options.ts'

type Fields = Readonly<Record<string, unknown>>

/** The body of a streaming request. */
export interface MistralBody extends Fields {
  readonly model: string
  readonly messages: readonly MistralMessage[]
  readonly stream: true
  /** Also sent as the header `x-affinity`. */
  readonly prompt_cache_key?: string
}

type MistralContent = string | readonly MistralPart[]

export type MistralPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: string }
  | { readonly type: 'thinking'; readonly thinking: readonly { readonly type: 'text'; readonly text: string }[] }

export type MistralMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: MistralContent }
  | { readonly role: 'assistant'; readonly content?: MistralContent; readonly tool_calls?: readonly Fields[] }
  | {
      readonly role: 'tool'
      readonly tool_call_id: string
      readonly name: string
      readonly content: MistralContent
    }

/**
 * Makes the body from a well-formed history. Ids of calls have nine letters and digits. A tool result holds its images.
 * A model's own thinking returns as parts; other thinking is left out. Arguments that were no JSON are sent as `{}`.
 */
export function mistralRequest(request: ProviderRequest, compat: MistralCompat): MistralBody {
  const { model, tools, temperature, sessionId } = request
  const limit = outputLimit(request)
  return {
    model: model.id,
    messages: messageParams(request, compat),
    stream: true,
    ...(tools.length > 0 ? { tools: functionTools(request), ...toolChoice(request) } : {}),
    ...thinkingFields(request, compat),
    ...(temperature === undefined ? {} : { temperature }),
    ...(limit === undefined ? {} : { max_tokens: limit }),
    ...responseFormat(request, compat),
    ...(compat.promptCacheKey && sessionId !== undefined ? { prompt_cache_key: sessionId } : {}),
  }
}

function functionTools({ tools }: ProviderRequest): Fields[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters: openAiToolSchema(parameters) },
  }))
}

function toolChoice({ toolChoice: choice }: ProviderRequest): Fields {
  if (choice === undefined) return {}
  return { tool_choice: typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } } }
}

/** A model without effort words thinks in the API's reasoning mode; without that mode it does not. */
function thinkingFields({ model, thinkingLevel }: ProviderRequest, { thinking, effort }: MistralCompat): Fields {
  if (!model.reasoning) return {}
  if (thinking === 'prompt_mode') return thinkingLevel === 'off' ? {} : { prompt_mode: 'reasoning' }
  const word = effort[thinkingLevel]
  return word === undefined ? {} : { reasoning_effort: word }
}

function responseFormat({ outputSchema: schema, tools }: ProviderRequest, { structuredOutput }: MistralCompat): Fields {
  const isAccepted = structuredOutput === 'always' || (structuredOutput === 'without_tools' && tools.length === 0)
  if (schema === undefined || !isAccepted) return {}
  const format = { name: 'answer', schema, strict: isStrictSchema(schema, false) }
  return { response_format: { type: 'json_schema', json_schema: format } }
}

const callIdLength = 9
/** Stands between a result and a user message, which the API refuses as neighbours. */
const noted: MistralMessage = { role: 'assistant', content: 'I have the results.' }

function messageParams({ system, messages, model }: ProviderRequest, compat: MistralCompat): MistralMessage[] {
  const params: MistralMessage[] = system === '' ? [] : [{ role: 'system', content: system.toWellFormed() }]
  const ids = createCallIdNames(callIdLength, exactCallId)
  for (const message of wellFormedHistory(messages)) {
    if (message.role === 'user' && compat.answerAfterTool && params.at(-1)?.role === 'tool') params.push(noted)
    params.push(...newParams(message, model, ids))
  }
  return params
}

function newParams(message: HistoryMessage, model: Model, ids: CallIdNames): MistralMessage[] {
  if (message.role === 'assistant') return assistantParams(message, model, ids)
  if (message.role === 'toolResult') return [toolParam(message, model, ids)]
  const { content } = message
  return [{ role: 'user', content: typeof content === 'string' ? content.toWellFormed() : userContent(content, model) }]
}

/** Joins texts, because not every model takes a list of parts. */
function userContent(content: readonly UserContent[], model: Model): MistralContent {
  const parts = content.map((part) => imagePart(part, model) ?? textPart(partText(part, model)))
  return parts.every((part) => part.type === 'text') ? parts.map(({ text }) => text).join('\n') : parts
}

/** Returns nothing for an answer with only another model's thinking. */
function assistantParams(message: AssistantMessage, model: Model, ids: CallIdNames): MistralMessage[] {
  const isOwn = message.api === model.api && message.provider === model.provider && message.model === model.id
  const parts = message.content.flatMap((block) => answerPart(block, isOwn))
  const calls = message.content.filter((block) => block.type === 'toolCall')
  if (parts.length === 0 && calls.length === 0) return []
  const content = parts.every((part) => part.type === 'text') ? parts.map(({ text }) => text).join('') : parts
  return [
    {
      role: 'assistant',
      ...(parts.length === 0 ? {} : { content }),
      ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => callParam(call, ids)) }),
    },
  ]
}

function answerPart(block: AssistantContent, isOwn: boolean): MistralPart[] {
  if (block.type === 'text') return block.text.trim() === '' ? [] : [textPart(block.text.toWellFormed())]
  if (block.type !== 'thinking' || !isOwn || block.thinking.trim() === '') return []
  return [{ type: 'thinking', thinking: [{ type: 'text', text: block.thinking.toWellFormed() }] }]
}

function callParam({ id, name, arguments: args }: ToolCall, ids: CallIdNames): Fields {
  return { id: ids.call(id), type: 'function', function: { name, arguments: JSON.stringify(args) } }
}

function toolParam(message: ToolResultMessage, model: Model, ids: CallIdNames): MistralMessage {
  const content = userContent(message.content, model)
  return {
    role: 'tool',
    tool_call_id: ids.result(message.toolCallId),
    name: message.toolName,
    content: content === '' || content.length === 0 ? '(no output)' : content,
  }
}

function imagePart(part: UserContent, model: Model): MistralPart | undefined {
  const image = imageForModel(part, model)
  return image && { type: 'image_url', image_url: `data:${image.mimeType};base64,${image.data}` }
}

function textPart(text: string): MistralPart & { type: 'text' } {
  return { type: 'text', text }
}
