// Converts a provider request to the body of `POST /responses`; pure.
import type {
  FunctionTool,
  ResponseCreateParamsStreaming,
  ToolChoiceFunction,
  EasyInputMessage,
  ResponseFunctionToolCall,
  ResponseInputContent,
  ResponseInputItem,
  ResponseReasoningItem,
} from 'openai/resources/responses/responses'
import type { ProviderRequest } from '../../../streams/ports/provider.ts'
import type { ToolDefinition } from '../../../streams/ports/tool.ts'
import { openAiStrictSchema, openAiToolSchema } from '../../schemas/tool-schema.ts'
import type { OpenAiResponsesCompat } from './openai-responses-options.ts'
import { outputLimit, isStrictSchema } from '../../adapter/output-options.ts'
import type { AssistantMessage, Message, ToolResultMessage, UserContent } from '../../../streams/messages/message.ts'
import type { Model } from '../../../streams/models/model.ts'
import { createCallIdNames } from '../../adapter/call-ids.ts'
import type { CallIdNames } from '../../adapter/call-ids.ts'
import { partText, imageForModel, wellFormedHistory } from '../../adapter/well-formed-history.ts'

export type OpenAiResponsesBody = Omit<ResponseCreateParamsStreaming, 'input' | 'reasoning'> & {
  readonly input: readonly InputItem[]
  readonly reasoning?: { readonly effort?: string; readonly summary?: 'auto' }
}

/** The Codex backend refuses a request without instructions. */
const usualInstructions = 'You are a helpful assistant.'

/** The lowest limit that the API accepts. */
const leastOutput = 16

/**
 * Makes the body of a streaming request from a well-formed history. The provider does not store the response. Tools
 * have their whole schema and no strict mode, unless the compat asks for it.
 */
export function openAiResponsesRequest(request: ProviderRequest, compat: OpenAiResponsesCompat): OpenAiResponsesBody {
  const { model, system, tools, temperature, sessionId } = request
  const { codex, systemPrompt, messageParts } = compat
  const limit = codex ? undefined : outputLimit(request)
  const prompt = system.trim() === '' ? (codex ? usualInstructions : undefined) : system.toWellFormed()
  const isItem = systemPrompt === 'developer' && prompt !== undefined
  const history = openAiResponsesHistory(request.messages, { model, inParts: messageParts })
  return {
    model: model.id,
    ...(isItem || prompt === undefined ? {} : { instructions: prompt }),
    input: isItem ? [{ role: 'developer', content: prompt }, ...history] : history,
    stream: true,
    store: false,
    ...(tools.length > 0 ? { tools: tools.map(functionTool(compat)) } : {}),
    ...(tools.length > 0 || codex ? toolChoice(request, codex) : {}),
    ...reasoning(request, compat),
    ...textFormat(request),
    ...(temperature === undefined ? {} : { temperature }),
    ...(limit === undefined ? {} : { max_output_tokens: Math.max(leastOutput, limit) }),
    ...(compat.promptCacheKey && sessionId !== undefined ? { prompt_cache_key: sessionId } : {}),
  }
}

function reasoning(
  { model, thinkingLevel }: ProviderRequest,
  compat: OpenAiResponsesCompat,
): Pick<OpenAiResponsesBody, 'reasoning' | 'include'> {
  if (!model.reasoning) return {}
  const effort = compat.effort[thinkingLevel]
  const reasoning = {
    ...(effort === undefined ? {} : { effort }),
    ...(compat.summary && thinkingLevel !== 'off' ? { summary: 'auto' as const } : {}),
  }
  return {
    ...(Object.keys(reasoning).length > 0 ? { reasoning } : {}),
    ...(compat.encryptedReasoning ? { include: ['reasoning.encrypted_content'] } : {}),
  }
}

/** Sends a schema that strict mode does not support whole and not strict; the model follows it as well as it can. */
function textFormat({ outputSchema: schema }: ProviderRequest): Pick<OpenAiResponsesBody, 'text'> {
  if (schema === undefined) return {}
  return { text: { format: { type: 'json_schema', name: 'answer', schema, strict: isStrictSchema(schema, false) } } }
}

function functionTool({ strictTools }: OpenAiResponsesCompat): (tool: ToolDefinition) => FunctionTool {
  return ({ name, description, parameters }) => {
    const strict = strictTools ? openAiStrictSchema(parameters) : undefined
    const sent = strict ?? openAiToolSchema(parameters)
    return { type: 'function', name, description, parameters: sent, strict: strict !== undefined }
  }
}

function toolChoice(
  { toolChoice: choice, tools }: ProviderRequest,
  codex: boolean,
): Pick<OpenAiResponsesBody, 'parallel_tool_calls'> & {
  readonly tool_choice?: 'auto' | 'none' | 'required' | ToolChoiceFunction
} {
  const parallel = codex ? { parallel_tool_calls: true } : {}
  if (choice === undefined || tools.length === 0) return codex ? { tool_choice: 'auto', ...parallel } : {}
  return { ...parallel, tool_choice: typeof choice === 'string' ? choice : { type: 'function', name: choice.name } }
}

/** Reasoning that the provider did not store has no id. */
type ReasoningItem = Omit<ResponseReasoningItem, 'id'>
/** An answer in the form of the API's own output, without its id. */
interface AnswerItem {
  readonly type: 'message'
  readonly role: 'assistant'
  readonly status: 'completed'
  readonly content: readonly [
    { readonly type: 'output_text'; readonly text: string; readonly annotations: readonly [] },
  ]
  readonly phase?: 'commentary' | 'final_answer'
}
type InputItem =
  | EasyInputMessage
  | AnswerItem
  | ResponseFunctionToolCall
  | ResponseInputItem.FunctionCallOutput
  | ReasoningItem

const callIdLength = 64
const phases = ['commentary', 'final_answer'] as const

/**
 * Converts a well-formed history to items without ids, because the provider stores none. A model's own reasoning
 * returns if it is encrypted and something follows it in its answer, as the API requires. Other reasoning is left out.
 */
function openAiResponsesHistory(messages: readonly Message[], { model, inParts }: HistoryForm): InputItem[] {
  const ids = createCallIdNames(callIdLength)
  return wellFormedHistory(messages).flatMap((message): InputItem[] => {
    if (message.role === 'assistant') return answerItems(message, { model, inParts }, ids)
    if (message.role === 'toolResult') return [outputItem(message, model, ids)]
    const content = contentOf(message.content, model)
    if (content.length === 0) return []
    const isText = inParts && typeof content === 'string'
    return [{ role: 'user', content: isText ? [{ type: 'input_text', text: content }] : content }]
  })
}

interface HistoryForm {
  readonly model: Model
  /** Messages consist of parts, also those with only text. */
  readonly inParts: boolean
}

/** Holds reasoning back until something follows it; the parts of its summary are the blocks before the signed one. */
function answerItems(message: AssistantMessage, { model, inParts }: HistoryForm, ids: CallIdNames): InputItem[] {
  const isOwn = message.api === model.api && message.provider === model.provider && message.model === model.id
  const items: InputItem[] = []
  let summary: string[] = []
  let waiting: ReasoningItem[] = []
  for (const block of message.content) {
    if (block.type === 'thinking') {
      if (block.thinking !== '') summary.push(block.thinking.toWellFormed())
      if (!isOwn || block.thinkingSignature === undefined) continue
      waiting.push(reasoningItem(summary, block.thinkingSignature))
      summary = []
    } else if (block.type === 'toolCall') {
      const call_id = ids.call(block.id)
      items.push(...waiting, {
        type: 'function_call',
        call_id,
        name: block.name,
        arguments: JSON.stringify(block.arguments),
      })
      waiting = []
    } else if (block.text.trim() !== '') {
      const phase = isOwn ? phases.find((name) => name === block.textSignature) : undefined
      const marked = phase === undefined ? {} : { phase }
      items.push(...waiting, { ...textItem(block.text.toWellFormed(), inParts), ...marked })
      waiting = []
    }
  }
  return items
}

function textItem(text: string, inParts: boolean): EasyInputMessage | AnswerItem {
  if (!inParts) return { role: 'assistant', content: text }
  const content = [{ type: 'output_text', text, annotations: [] }] as const
  return { type: 'message', role: 'assistant', status: 'completed', content }
}

function reasoningItem(summary: readonly string[], encrypted: string): ReasoningItem {
  const parts = summary.map((text) => ({ type: 'summary_text' as const, text }))
  return { type: 'reasoning', summary: parts, encrypted_content: encrypted }
}

function outputItem(message: ToolResultMessage, model: Model, ids: CallIdNames): ResponseInputItem.FunctionCallOutput {
  const content = contentOf(message.content, model)
  return {
    type: 'function_call_output',
    call_id: ids.result(message.toolCallId),
    output: content.length === 0 ? '(no output)' : content,
  }
}

/** Returns a text if there is only text, else parts; '' if there is neither. */
function contentOf(content: string | readonly UserContent[], model: Model): string | ResponseInputContent[] {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const shown = parts.filter((part) => part.type === 'image' || part.text.trim() !== '')
  if (shown.every((part) => imageForModel(part, model) === undefined)) {
    return shown.map((part) => partText(part, model)).join('\n')
  }
  return shown.map((part): ResponseInputContent => {
    const image = imageForModel(part, model)
    if (image === undefined) return { type: 'input_text', text: partText(part, model) }
    return { type: 'input_image', detail: 'auto', image_url: `data:${image.mimeType};base64,${image.data}` }
  })
}
