// Converts a provider request to the body of Bedrock's `POST /model/{id}/converse-stream`; pure.
import type { ProviderRequest } from '../../streams/ports/provider.ts'
import type { ThinkingLevel } from '../../streams/models/model.ts'
import { outputLimit } from '../adapter/output-options.ts'
import { anthropicToolSchema } from '../schemas/tool-schema.ts'
import { bedrockHistory } from './bedrock-history.ts'
import type { BedrockBlock, BedrockMessage } from './bedrock-history.ts'
import type { BedrockCompat } from './bedrock-options.ts'

type Fields = Readonly<Record<string, unknown>>

/** The body; the model is part of the address. */
export interface BedrockBody {
  readonly messages: readonly BedrockMessage[]
  readonly system?: readonly BedrockBlock[]
  readonly inferenceConfig?: { readonly maxTokens?: number; readonly temperature?: number }
  readonly toolConfig?: { readonly tools: readonly Fields[]; readonly toolChoice?: Fields }
  readonly additionalModelRequestFields?: Fields
}

/**
 * Makes the body from a well-formed history. Cache points follow the tools, the system prompt and the last two user
 * turns. The API has no schema of the output: only the system prompt contains it.
 */
export function bedrockRequest(request: ProviderRequest, compat: BedrockCompat): BedrockBody {
  const { model, system } = request
  const messages = bedrockHistory(request.messages, model, compat)
  const maxTokens = limitOf(request, compat)
  const thinking = bedrockThinking(request, compat, { messages, maxTokens })
  if (compat.cachePoints) markTurns(messages)
  const points = compat.cachePoints ? [cachePoint] : []
  const inference = { ...(maxTokens === undefined ? {} : { maxTokens }), ...temperature(request, compat, thinking) }
  return {
    messages,
    ...(system.trim() === '' ? {} : { system: [{ text: system.toWellFormed() }, ...points] }),
    ...(Object.keys(inference).length === 0 ? {} : { inferenceConfig: inference }),
    ...toolConfig(request, messages, points),
    ...(Object.keys(thinking).length === 0 ? {} : { additionalModelRequestFields: thinking }),
  }
}

const cachePoint: BedrockBlock = { cachePoint: { type: 'default' } }
const markedTurns = 2
const defaultLimit = 32_000

function limitOf(request: ProviderRequest, { limitOutput }: BedrockCompat): number | undefined {
  return outputLimit(request, limitOutput ? (request.model.maxOutput ?? defaultLimit) : undefined)
}

/** This request and the next one read everything before a point from the cache. */
function markTurns(messages: readonly BedrockMessage[]): void {
  const turns = messages.filter(({ role }) => role === 'user').slice(-markedTurns)
  for (const { content } of turns) content.push(cachePoint)
}

/**
 * The API refuses a history with calls if a request has no tools: then the names of the calls stand for them.
 */
function toolConfig(
  request: ProviderRequest,
  messages: readonly BedrockMessage[],
  points: readonly BedrockBlock[],
): Pick<BedrockBody, 'toolConfig'> {
  const { tools } = request
  if (tools.length > 0) {
    const specs = tools.map(({ name, description, parameters }) =>
      toolSpec(name, description, anthropicToolSchema(parameters)),
    )
    return { toolConfig: { tools: [...specs, ...(points as Fields[])], ...toolChoice(request) } }
  }
  const called = new Set(
    messages.flatMap(({ content }) => content.flatMap(({ toolUse }) => (toolUse === undefined ? [] : [toolUse.name]))),
  )
  if (called.size === 0) return {}
  return { toolConfig: { tools: [...called].map((name) => toolSpec(name, notAvailable, { type: 'object' })) } }
}

const notAvailable = 'Is not available now: do not call it.'

function toolSpec(name: string, description: string, schema: object): Fields {
  const described = description.trim() === '' ? {} : { description }
  return { toolSpec: { name, ...described, inputSchema: { json: schema } } }
}

/** The API has no word for `none`. */
function toolChoice({ toolChoice: choice }: ProviderRequest): { readonly toolChoice?: Fields } {
  if (choice === undefined || choice === 'auto' || choice === 'none') return {}
  return { toolChoice: choice === 'required' ? { any: {} } : { tool: { name: choice.name } } }
}

function temperature(
  { temperature: requested }: ProviderRequest,
  { temperature: isAccepted }: BedrockCompat,
  { thinking }: Fields,
): { readonly temperature?: number } {
  const thinks = thinking !== undefined && (thinking as { type: string }).type !== 'disabled'
  return requested === undefined || !isAccepted || thinks ? {} : { temperature: requested }
}

interface Surroundings {
  readonly messages: readonly BedrockMessage[]
  readonly maxTokens: number | undefined
}

/** The lowest budget that the API accepts, and the lowest rest for the answer. */
const least = 1024

/** Returns the additional fields of a request for thinking; none for models that do not reason. */
function bedrockThinking(
  { model, thinkingLevel }: ProviderRequest,
  compat: BedrockCompat,
  surroundings: Surroundings,
): Fields {
  if (!model.reasoning) return {}
  switch (compat.thinking) {
    case 'none':
      return {}
    case 'budget':
      return budgetThinking(thinkingLevel, compat, surroundings)
    case 'adaptive':
      return adaptiveThinking(thinkingLevel, compat)
    default:
      return effortFields(thinkingLevel, compat)
  }
}

function effortFields(level: ThinkingLevel, { thinking, effort }: BedrockCompat): Fields {
  const word = effort[level]
  if (word === undefined) return {}
  return thinking === 'effort' ? { reasoning_effort: word } : { reasoning: { effort: word } }
}

/** The budget is cut to the part of the limit that is left; the model does not think if that is too little. */
function budgetThinking(level: ThinkingLevel, compat: BedrockCompat, { messages, maxTokens }: Surroundings): Fields {
  const limit = maxTokens ?? Infinity
  const budget = level === 'off' ? 0 : Math.min(compat.budgets[level], limit - least)
  if (budget < least || !canThink(messages)) return disabledThinking(compat)
  return {
    thinking: { type: 'enabled', budget_tokens: budget, ...display(compat) },
    ...(compat.interleavedThinking ? { anthropic_beta: ['interleaved-thinking-2025-05-14'] } : {}),
  }
}

function adaptiveThinking(level: ThinkingLevel, compat: BedrockCompat): Fields {
  const word = compat.effort[level]
  const effort = word === undefined ? {} : { output_config: { effort: word } }
  if (level === 'off' && compat.withoutThinking !== 'never') return { ...disabledThinking(compat), ...effort }
  const binding = { block_binding: { prefix_mismatch_behavior: 'drop_block' } }
  return {
    thinking: { type: 'adaptive', ...display(compat), ...(compat.boundThinking ? binding : {}) },
    ...effort,
    ...(compat.boundThinking ? { anthropic_beta: ['thinking-binding-controls-2026-08-01'] } : {}),
  }
}

function disabledThinking({ withoutThinking }: BedrockCompat): Fields {
  return withoutThinking === 'omit' || withoutThinking === 'never' ? {} : { thinking: { type: withoutThinking } }
}

function display({ summarizedThinking }: BedrockCompat): Fields {
  return summarizedThinking ? { display: 'summarized' } : {}
}

/** During a tool run the answer with the calls has to begin with its thinking. */
function canThink(messages: readonly BedrockMessage[]): boolean {
  const [answer, last] = messages.slice(-2)
  const isRun = answer?.role === 'assistant' && last?.content.some(({ toolResult }) => toolResult !== undefined)
  return isRun !== true || answer.content[0]?.reasoningContent !== undefined
}
