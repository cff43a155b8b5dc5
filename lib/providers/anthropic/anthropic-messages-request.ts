// Converts a provider request to the body of `POST /v1/messages`; pure.
import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageCreateParamsStreaming,
  Tool,
  ToolChoice,
  ImageBlockParam,
  TextBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages'
import type { ProviderRequest } from '../../streams/ports/provider.ts'
import type { ToolDefinition } from '../../streams/ports/tool.ts'
import type { AnthropicMessagesCompat } from './anthropic-messages-options.ts'
import { outputLimit, isStrictSchema } from '../adapter/output-options.ts'
import { anthropicToolSchema } from '../schemas/tool-schema.ts'
import type { ThinkingLevel, Model } from '../../streams/models/model.ts'
import type {
  AssistantContent,
  AssistantMessage,
  ToolResultMessage,
  UserContent,
  UserMessage,
  Message,
} from '../../streams/messages/message.ts'
import { createCallIdNames } from '../adapter/call-ids.ts'
import type { CallIdNames } from '../adapter/call-ids.ts'
import { partText, imageForModel, wellFormedHistory } from '../adapter/well-formed-history.ts'

/** The body. The SDK's types lack `temperature`; older models and compatible endpoints accept it. */
export type AnthropicMessagesBody = Omit<MessageCreateParamsStreaming, 'thinking' | 'temperature'> &
  ThinkingRequest & { readonly temperature?: number }

/**
 * Makes the body of a streaming request from a well-formed history. The API requires an output limit: the request's,
 * else the model's, else `compat.maxTokens`. The temperature is left out if the model thinks, if it accepts none, and
 * in the vendor's dialect. Cache marks follow the tools, the system prompt and the last two user turns.
 */
export function anthropicMessagesRequest(
  request: ProviderRequest,
  compat: AnthropicMessagesCompat,
): AnthropicMessagesBody {
  const { model, system, tools } = request
  const messages = anthropicMessagesHistory(request.messages, model)
  const maxTokens = outputLimit(request, model.maxOutput ?? compat.maxTokens) ?? compat.maxTokens
  const thinking = anthropicMessagesThinking(request, compat, { messages, maxTokens })
  const cached = compat.cacheBreakpoints ? { cache_control: marker } : {}
  if (compat.cacheBreakpoints) markTurns(messages)
  return {
    model: model.id,
    max_tokens: maxTokens,
    ...(system.trim() === '' ? {} : { system: [{ type: 'text', text: system.toWellFormed(), ...cached }] }),
    messages,
    ...(tools.length > 0
      ? { tools: tools.map((tool, index) => toolParam(tool, index === tools.length - 1 ? cached : {})) }
      : {}),
    ...(tools.length > 0 ? toolChoice(request) : {}),
    ...thinking,
    ...outputConfig(request, compat, thinking),
    ...temperature(request, compat, thinking),
    stream: true,
  }
}

const marker: CacheControlEphemeral = { type: 'ephemeral' }
const markedTurns = 2

/**
 * Marks the last block of the last user turns: this request and the next one read everything before it from the cache.
 */
function markTurns(messages: readonly MessageOfBlocks[]): void {
  const turns = messages.filter(({ role }) => role === 'user').slice(-markedTurns)
  for (const { content } of turns) {
    const last = content.pop()
    if (last !== undefined) content.push({ ...last, cache_control: marker } as ContentBlockParam) // every user block accepts it
  }
}

function toolParam({ name, description, parameters }: ToolDefinition, cached: Pick<Tool, 'cache_control'>): Tool {
  const schema = anthropicToolSchema(parameters)
  return { name, description, input_schema: { ...schema, required: schema.required ?? [] }, ...cached }
}

function toolChoice({ toolChoice: choice }: ProviderRequest): { tool_choice?: ToolChoice } {
  if (choice === undefined || choice === 'auto') return {}
  if (choice === 'none') return { tool_choice: { type: 'none' } }
  return { tool_choice: choice === 'required' ? { type: 'any' } : { type: 'tool', name: choice.name } }
}

/**
 * Sets the format in the vendor's dialect, if the API supports the schema. Otherwise only the system prompt contains
 * it.
 */
function outputConfig(
  { outputSchema: schema }: ProviderRequest,
  { dialect }: AnthropicMessagesCompat,
  { output_config: known }: ThinkingRequest,
): Pick<AnthropicMessagesBody, 'output_config'> {
  if (schema === undefined || dialect !== 'vendor' || !isStrictSchema(schema, true)) return {}
  return { output_config: { ...known, format: { type: 'json_schema', schema } } }
}

function temperature(
  { temperature: requested }: ProviderRequest,
  { dialect, temperature: takes }: AnthropicMessagesCompat,
  { thinking }: ThinkingRequest,
): { temperature?: number } {
  const thinks = thinking?.type === 'enabled' || thinking?.type === 'adaptive'
  return requested === undefined || !takes || thinks || dialect === 'vendor' ? {} : { temperature: requested }
}

/** Returns the fields that switch thinking on or off. */
interface ThinkingRequest extends Pick<MessageCreateParamsStreaming, 'output_config'> {
  readonly thinking?: MessageCreateParamsStreaming['thinking'] & {
    readonly block_binding?: { readonly prefix_mismatch_behavior: 'drop_block' }
  }
}

/** The lowest budget that the API accepts, and the lowest rest for the answer. */
const least = 1024

/**
 * Returns nothing for models that do not reason. A budget is cut to the part of `maxTokens` that is left. The model
 * does not think if that is too little, or if the answer whose tools have just run does not begin with its own
 * thinking.
 */
function anthropicMessagesThinking(
  { model, thinkingLevel }: ProviderRequest,
  compat: AnthropicMessagesCompat,
  { messages, maxTokens }: { readonly messages: readonly MessageOfBlocks[]; readonly maxTokens: number },
): ThinkingRequest {
  if (!model.reasoning) return {}
  if (compat.thinking === 'adaptive') return adaptiveThinking(thinkingLevel, compat)
  const budget = thinkingLevel === 'off' ? 0 : Math.min(compat.budgets[thinkingLevel], maxTokens - least)
  if (budget >= least && canThink(messages)) return { thinking: { type: 'enabled', budget_tokens: budget } }
  return disabledThinking(compat)
}

function adaptiveThinking(level: ThinkingLevel, compat: AnthropicMessagesCompat): ThinkingRequest {
  const effort = compat.effort[level]
  const requested = effort === undefined ? {} : { output_config: { effort } }
  if (level === 'off' && compat.withoutThinking !== 'never') return { ...disabledThinking(compat), ...requested }
  const binding = compat.boundThinking ? { block_binding: { prefix_mismatch_behavior: 'drop_block' as const } } : {}
  return { thinking: { type: 'adaptive', display: 'summarized', ...binding }, ...requested }
}

function disabledThinking({ withoutThinking }: AnthropicMessagesCompat): ThinkingRequest {
  return withoutThinking === 'omit' || withoutThinking === 'never' ? {} : { thinking: { type: withoutThinking } }
}

/** During a tool run the API requires that the answer with the calls begins with its thinking. */
function canThink(messages: readonly MessageOfBlocks[]): boolean {
  const [answer, last] = messages.slice(-2)
  if (answer?.role !== 'assistant' || last?.content.some(({ type }) => type === 'tool_result') !== true) return true
  const first = answer.content[0]?.type
  return first === 'thinking' || first === 'redacted_thinking'
}

/** A message of blocks. Its creator may still change the blocks that it added last. */
interface MessageOfBlocks {
  readonly role: 'user' | 'assistant'
  readonly content: ContentBlockParam[]
}

/** Letters, digits, `_` and `-`; the maximum length. */
const callIdLength = 64
const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const
type ImageType = (typeof imageTypes)[number]

/**
 * Converts a well-formed history. Roles alternate: neighbours of one role are merged, results come first, and no
 * message is empty. A model's own thinking returns with its signature; other thinking is left out. A note of the user
 * precedes a conversation that begins with an answer.
 */
function anthropicMessagesHistory(messages: readonly Message[], model: Model): MessageOfBlocks[] {
  const ids = createCallIdNames(callIdLength)
  const history: MessageOfBlocks[] = []
  for (const message of wellFormedHistory(messages)) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = blocksOf(message, model, ids)
    if (content.length === 0) continue
    const last = history.at(-1)
    if (last?.role === role) last.content.push(...content)
    else history.push({ role, content })
  }
  if (history[0]?.role === 'assistant') history.unshift({ role: 'user', content: [textBlock(earlier)] })
  return history
}

const earlier = '[The conversation began earlier.]'

function blocksOf(
  message: UserMessage | AssistantMessage | ToolResultMessage,
  model: Model,
  ids: CallIdNames,
): ContentBlockParam[] {
  if (message.role === 'toolResult') return [resultBlock(message, model, ids)]
  if (message.role === 'user') return userBlocks(message.content, model)
  const isOwn = message.api === model.api && message.provider === model.provider && message.model === model.id
  return message.content.flatMap((block) => answerBlock(block, isOwn, ids))
}

function userBlocks(content: string | readonly UserContent[], model: Model): (TextBlockParam | ImageBlockParam)[] {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return parts.flatMap((part): (TextBlockParam | ImageBlockParam)[] => {
    const image = imageForModel(part, model, imageTypes)
    if (image !== undefined) return [imageBlock(image.mimeType as ImageType, image.data)] // one of `imageTypes`
    const text = partText(part, model)
    return text.trim() === '' ? [] : [textBlock(text)]
  })
}

function answerBlock(block: AssistantContent, isOwn: boolean, ids: CallIdNames): ContentBlockParam[] {
  if (block.type === 'text') return block.text.trim() === '' ? [] : [textBlock(block.text.toWellFormed())]
  if (block.type === 'toolCall') {
    return [{ type: 'tool_use', id: ids.call(block.id), name: block.name, input: block.arguments }]
  }
  if (!isOwn || block.thinkingSignature === undefined) return []
  if (block.redacted === true) return [{ type: 'redacted_thinking', data: block.thinkingSignature }]
  return [{ type: 'thinking', thinking: block.thinking, signature: block.thinkingSignature }]
}

function resultBlock(message: ToolResultMessage, model: Model, ids: CallIdNames): ToolResultBlockParam {
  const content = userBlocks(message.content, model)
  return {
    type: 'tool_result',
    tool_use_id: ids.result(message.toolCallId),
    content: content.length === 0 ? [textBlock('(no output)')] : content,
    ...(message.isError ? { is_error: true } : {}),
  }
}

function textBlock(text: string): TextBlockParam {
  return { type: 'text', text }
}

function imageBlock(type: ImageType, data: string): ImageBlockParam {
  return { type: 'image', source: { type: 'base64', media_type: type, data } }
}
