// Converts a provider request to the body of `POST /chat/completions`; pure.
import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import type {
  AssistantMessage,
  Message,
  ToolCall,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from '../../../streams/messages/message.ts'
import { parseReasoningDetails } from '../../../streams/messages/parse-reasoning-details.ts'
import type { Model } from '../../../streams/models/model.ts'
import type { ProviderRequest } from '../../../streams/ports/provider.ts'
import type { ToolDefinition } from '../../../streams/ports/tool.ts'
import { exactCallId, normaliseCallId } from '../../adapter/call-ids.ts'
import { partText, imageForModel, wellFormedHistory } from '../../adapter/well-formed-history.ts'
import { openAiStrictSchema, openAiToolSchema } from '../../schemas/tool-schema.ts'
import type { OpenAiCompletionsCompat } from './openai-completions-options.ts'
import { outputLimit, isStrictSchema } from '../../adapter/output-options.ts'
import type { HistoryMessage } from '../../adapter/well-formed-history.ts'

interface Context {
  readonly model: Model
  readonly compat: OpenAiCompletionsCompat
}

/**
 * Makes the body of a streaming request from a well-formed history. A tool message takes text only, so images of tool
 * results follow as a user message. A text replaces an image that the model does not accept. Thinking is left out,
 * unless `compat.replayThinking` is set and the block is of this model. Arguments that were no JSON are sent as `{}`.
 */
export function openAiCompletionsRequest(
  request: ProviderRequest,
  compat: OpenAiCompletionsCompat,
): ChatCompletionCreateParamsStreaming {
  const { model, temperature, sessionId } = request
  const limit = outputLimit(request)
  return {
    model: model.id,
    messages: messageParams(request, { model, compat }),
    stream: true,
    ...(compat.streamUsage ? { stream_options: { include_usage: true } } : {}),
    ...(request.tools.length > 0 ? { tools: functionTools(request, compat), ...toolChoice(request) } : {}),
    ...thinkingFields(request, compat),
    ...(temperature === undefined ? {} : { temperature }),
    ...(limit === undefined ? {} : { [compat.maxTokensField]: limit }),
    ...responseFormat(request, compat),
    ...(compat.storeField ? { store: false } : {}),
    ...(compat.promptCacheKey && sessionId !== undefined ? { prompt_cache_key: sessionId } : {}),
  }
}

function toolChoice({ toolChoice: choice }: ProviderRequest): Pick<ChatCompletionCreateParamsStreaming, 'tool_choice'> {
  if (choice === undefined) return {}
  return { tool_choice: typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } } }
}

function responseFormat(
  { outputSchema: schema, tools }: ProviderRequest,
  { structuredOutput }: OpenAiCompletionsCompat,
): Pick<ChatCompletionCreateParamsStreaming, 'response_format'> {
  const isTaken = structuredOutput === 'always' || (structuredOutput === 'without_tools' && tools.length === 0)
  if (schema === undefined || !isTaken) return {}
  const format = { name: 'answer', schema, strict: isStrictSchema(schema, false) }
  return { response_format: { type: 'json_schema', json_schema: format } }
}

function functionTools({ tools }: ProviderRequest, compat: OpenAiCompletionsCompat): ChatCompletionFunctionTool[] {
  return tools.map(({ name, description, parameters }: ToolDefinition) => {
    const strict = compat.strictTools ? openAiStrictSchema(parameters) : undefined
    const whole = { parameters: openAiToolSchema(parameters), ...(compat.strictField ? { strict: false } : {}) }
    const sent = strict === undefined ? whole : { parameters: strict, strict: true }
    return { type: 'function', function: { name, description, ...sent } }
  })
}

function messageParams(request: ProviderRequest, context: Context): ChatCompletionMessageParam[] {
  const { system, messages } = request
  const params = historyParams(messages, context)
  return system === '' ? params : [{ role: systemRole(context), content: system.toWellFormed() }, ...params]
}

function historyParams(messages: readonly Message[], context: Context): ChatCompletionMessageParam[] {
  const params: ChatCompletionMessageParam[] = []
  let images: ChatCompletionContentPart[] = []
  const flushImages = (): void => {
    if (images.length > 0) params.push(...(context.compat.answerAfterTool ? [noted] : []), imagesOf(images))
    images = []
  }
  for (const message of wellFormedHistory(messages)) {
    if (message.role !== 'toolResult') flushImages()
    if (message.role === 'user' && context.compat.answerAfterTool && params.at(-1)?.role === 'tool') params.push(noted)
    params.push(...newParams(message, context))
    if (message.role === 'toolResult') images.push(...message.content.flatMap((part) => imagePart(part, context.model)))
  }
  flushImages()
  return params
}

function newParams(message: HistoryMessage, context: Context): readonly ChatCompletionMessageParam[] {
  if (message.role === 'user') return [userParam(message, context)]
  return message.role === 'assistant' ? assistantParams(message, context) : [toolParam(message, context)]
}

const imagesFollow: ChatCompletionContentPart = { type: 'text', text: 'The images of the tool results above:' }
/** Stands between a result and a user message, for endpoints that want an answer there. */
const noted: ChatCompletionMessageParam = { role: 'assistant', content: 'I have the results.' }

function imagesOf(images: readonly ChatCompletionContentPart[]): ChatCompletionMessageParam {
  return { role: 'user', content: [imagesFollow, ...images] }
}

function systemRole({ model, compat }: Context): 'system' | 'developer' {
  return model.reasoning ? compat.systemRole : 'system'
}

function userParam({ content }: UserMessage, { model }: Context): ChatCompletionMessageParam {
  if (typeof content === 'string') return { role: 'user', content: content.toWellFormed() }
  const parts = content.map((part) => imagePart(part, model)[0] ?? textPart(partText(part, model)))
  const onlyText = parts.every((part) => part.type === 'text')
  return { role: 'user', content: onlyText ? parts.map(({ text }) => text).join('\n') : parts }
}

/** Returns nothing for an answer with only thinking that is not sent back. */
function assistantParams(message: AssistantMessage, context: Context): ChatCompletionMessageParam[] {
  const text = message.content.flatMap((block) => (block.type === 'text' ? [block.text.toWellFormed()] : [])).join('')
  const calls = message.content.filter((block) => block.type === 'toolCall')
  const replayed = replayedThinking(message, context)
  const isSilent = calls.length > 0 && Object.keys(replayed).length === 0
  const thinking = isSilent && context.compat.emptyThinking ? { reasoning_content: '' } : replayed
  if (text === '' && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...thinking,
      ...(calls.length > 0 ? { tool_calls: calls.map((call) => callParam(call, context)) } : {}),
    },
  ]
}

function callParam(call: ToolCall, { compat }: Context) {
  return {
    id: sentCallId(call.id, compat),
    type: 'function' as const,
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }
}

/** The block's signature is the field name, or all details of the answer. */
function replayedThinking(message: AssistantMessage, { model, compat }: Context): Record<string, unknown> {
  const isOwn = message.api === model.api && message.provider === model.provider && message.model === model.id
  if (!isOwn) return {}
  const details = compat.reasoningDetails ? detailsOf(message) : undefined
  if (details !== undefined) return { reasoning_details: details }
  if (!compat.replayThinking) return {}
  const replayed: Record<string, string> = {}
  for (const block of message.content) {
    if (block.type !== 'thinking' || block.thinkingSignature === undefined || block.thinking === '') continue
    const field = block.thinkingSignature
    replayed[field] = (replayed[field] ?? '') + block.thinking.toWellFormed()
  }
  return replayed
}

function detailsOf({ content }: AssistantMessage): readonly unknown[] | undefined {
  const signatures = content.flatMap((block) => (block.type === 'thinking' ? [block.thinkingSignature ?? ''] : []))
  return signatures.map(parseReasoningDetails).findLast((details) => details !== undefined)
}

function toolParam(message: ToolResultMessage, { model, compat }: Context): ChatCompletionMessageParam {
  const shown = message.content.filter((part) => imagePart(part, model).length === 0)
  const text = shown.map((part) => partText(part, model)).join('\n')
  const content = text === '' ? (message.content.length > shown.length ? '(see the image)' : '(no output)') : text
  // the vendor's own API has no such field
  const name = compat.toolResultName ? { name: message.toolName } : {}
  return { role: 'tool', tool_call_id: sentCallId(message.toolCallId, compat), content, ...name }
}

function sentCallId(id: string, { callIdForm, callIdLength }: OpenAiCompletionsCompat): string {
  return callIdForm === 'exact' ? exactCallId(id, callIdLength) : normaliseCallId(id, callIdLength)
}

/** Returns the image as a part; nothing if the part is not an image, has no data, or the model takes text only. */
function imagePart(part: UserContent, model: Model): ChatCompletionContentPart[] {
  const image = imageForModel(part, model)
  return image === undefined
    ? []
    : [{ type: 'image_url', image_url: { url: `data:${image.mimeType};base64,${image.data}` } }]
}

function textPart(text: string): ChatCompletionContentPart & { type: 'text' } {
  return { type: 'text', text }
}

type Fields = Readonly<Record<string, unknown>>

/** Returns the fields that switch thinking on or off in the endpoint's form; none for a model that does not reason. */
function thinkingFields(request: ProviderRequest, compat: OpenAiCompletionsCompat): Fields {
  if (!request.model.reasoning || compat.thinkingForm === 'none') return {}
  const word = effortWord(request, compat)
  const effort = word === undefined ? {} : { reasoning_effort: word }
  if (compat.thinkingForm === 'effort') return effort
  if (compat.thinkingForm === 'reasoning') return word === undefined ? {} : { reasoning: { effort: word } }
  const on = request.thinkingLevel !== 'off'
  return on || compat.thinkingOff ? { ...switches[compat.thinkingForm](on), ...effort } : effort
}

const switches: Readonly<Record<'thinking' | 'enabled' | 'enable_thinking' | 'template', (on: boolean) => Fields>> = {
  thinking: (on) => ({ thinking: { type: on ? 'enabled' : 'disabled' } }),
  enabled: (on) => ({ reasoning: { enabled: on } }),
  enable_thinking: (on) => ({ enable_thinking: on }),
  template: (on) => ({ chat_template_kwargs: { enable_thinking: on } }),
}

function effortWord({ tools, thinkingLevel }: ProviderRequest, compat: OpenAiCompletionsCompat): string | undefined {
  if (tools.length > 0 && compat.effortWithTools !== 'send') {
    return compat.effortWithTools === 'none' ? 'none' : undefined
  }
  return compat.effort[thinkingLevel]
}
