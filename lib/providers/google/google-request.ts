// Converts a provider request to the parameters of the SDK's `generateContentStream`; pure.
import type { ProviderRequest } from '../../streams/ports/provider.ts'
import type { ToolDefinition } from '../../streams/ports/tool.ts'
import type { GoogleCompat } from './google-options.ts'
import type { GoogleFunction, GoogleParameters, GoogleContent, GooglePart as Part } from './google-parameters.ts'
import { outputLimit } from '../adapter/output-options.ts'
import { googleSchema } from '../schemas/google-schema.ts'
import { googleParameters } from '../schemas/tool-schema.ts'
import type { AssistantMessage, Message, ToolResultMessage, UserContent } from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'
import { createCallIdNames } from '../adapter/call-ids.ts'
import type { CallIdNames } from '../adapter/call-ids.ts'
import { partText, imageForModel, wellFormedHistory } from '../adapter/well-formed-history.ts'

/**
 * Makes the parameters from a well-formed history. Tool schemas use Google's part of JSON Schema. The SDK neither calls
 * functions nor repeats requests by itself.
 */
export function googleRequest(request: ProviderRequest, compat: GoogleCompat): GoogleParameters {
  const { model, system, tools, temperature } = request
  const limit = outputLimit(request)
  const thinking = model.reasoning ? thinkingConfig(request, compat) : undefined
  return {
    model: model.id,
    contents: googleHistory(request.messages, model, compat),
    config: {
      ...(system.trim() === '' ? {} : { systemInstruction: system.toWellFormed() }),
      ...(tools.length > 0 ? { tools: [{ functionDeclarations: tools.map(declaration) }] } : {}),
      ...(tools.length > 0 ? toolConfig(request, compat) : {}),
      ...(thinking === undefined ? {} : { thinkingConfig: thinking }),
      ...structured(request, compat),
      ...(temperature === undefined ? {} : { temperature }),
      ...(limit === undefined ? {} : { maxOutputTokens: limit }),
      automaticFunctionCalling: { disable: true },
      automaticContinuation: false,
    },
  }
}

/** Before Gemini 3 the API accepts no output schema beside functions. */
function structured({ outputSchema, tools }: ProviderRequest, compat: GoogleCompat): Partial<Config> {
  if (outputSchema === undefined || (tools.length > 0 && compat.thinking === 'budget')) return {}
  return { responseMimeType: 'application/json', responseJsonSchema: googleSchema(outputSchema) }
}

function declaration({ name, description, parameters }: ToolDefinition): GoogleFunction {
  return { name, description, parametersJsonSchema: googleParameters(parameters) }
}

function toolConfig({ toolChoice: choice }: ProviderRequest, compat: GoogleCompat): Pick<Config, 'toolConfig'> {
  const callingConfig = {
    ...(choice === undefined ? {} : { mode: modes[typeof choice === 'string' ? choice : 'required'] }),
    ...(typeof choice === 'object' ? { allowedFunctionNames: [choice.name] } : {}),
    ...(compat.streamArguments ? { streamFunctionCallArguments: true as const } : {}),
  }
  return Object.keys(callingConfig).length === 0 ? {} : { toolConfig: { functionCallingConfig: callingConfig } }
}

const modes = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const
const levels = { minimal: 'MINIMAL', low: 'LOW', medium: 'MEDIUM', high: 'HIGH' } as const

type Config = GoogleParameters['config']

function thinkingConfig({ thinkingLevel }: ProviderRequest, compat: GoogleCompat): Config['thinkingConfig'] {
  const shown = thinkingLevel === 'off' ? {} : { includeThoughts: true as const }
  if (compat.thinking === 'budget') {
    const budget = compat.budgets[thinkingLevel]
    return budget === undefined ? undefined : { ...shown, thinkingBudget: budget }
  }
  const level = compat.levels[thinkingLevel]
  if (level === undefined) return undefined
  return { ...shown, thinkingLevel: levels[level] }
}

interface Context {
  readonly model: Model
  readonly compat: GoogleCompat
  readonly ids: CallIdNames
}
interface Turn extends GoogleContent {
  readonly parts: Part[]
}

const callIdLength = 64
/** The API accepts this text as the signature of calls that it did not make. */
const unsigned = 'skip_thought_signature_validator'

/**
 * Converts a well-formed history. Exactly the results follow a turn of calls, and a user begins. Neighbours of one role
 * are merged, except results. A model's own text, thoughts and calls return with their signatures. Thoughts without a
 * signature and those of other models are left out.
 */
function googleHistory(messages: readonly Message[], model: Model, compat: GoogleCompat): GoogleContent[] {
  const context = { model, compat, ids: createCallIdNames(callIdLength) }
  const turns: Turn[] = []
  let images: Part[] = []
  const flushImages = (): void => {
    if (images.length > 0) addTurn(turns, 'user', [{ text: 'The images of the tool results above:' }, ...images])
    images = []
  }
  for (const message of wellFormedHistory(messages)) {
    if (message.role !== 'toolResult') flushImages()
    if (message.role === 'user') addTurn(turns, 'user', userParts(message.content, model))
    else if (message.role === 'assistant') addTurn(turns, 'model', answerParts(message, context))
    else {
      const shown = imageParts(message.content, model)
      addTurn(turns, 'user', [resultPart(message, shown, context)])
      if (!compat.imagesInResults) images.push(...shown)
    }
  }
  flushImages()
  if (turns[0]?.role === 'model')
    turns.unshift({ role: 'user', parts: [{ text: '[The conversation began earlier.]' }] })
  return turns
}

/** Merges results with results, and any other neighbours of one role. An empty message makes no turn. */
function addTurn(turns: Turn[], role: Turn['role'], parts: readonly Part[]): void {
  if (parts.length === 0) return
  const last = turns.at(-1)
  const isOfResults = (part: Part | undefined): boolean => part?.functionResponse !== undefined
  if (last?.role === role && isOfResults(last.parts.at(-1)) === isOfResults(parts[0])) last.parts.push(...parts)
  else turns.push({ role, parts: [...parts] })
}

function userParts(content: string | readonly UserContent[], model: Model): Part[] {
  const input = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return input.flatMap((part) => {
    const image = imageParts([part], model)
    const text = partText(part, model)
    return image.length > 0 ? image : text.trim() === '' ? [] : [{ text }]
  })
}

/** If the API checks signatures, the first call of an answer needs one. */
function answerParts(message: AssistantMessage, { model, compat, ids }: Context): Part[] {
  const isOwn = message.api === model.api && message.provider === model.provider && message.model === model.id
  const signed = (signature: string | undefined): Pick<Part, 'thoughtSignature'> =>
    isOwn && signature !== undefined ? { thoughtSignature: signature } : {}
  let isFirstCall = true
  return message.content.flatMap((block): Part[] => {
    if (block.type === 'text') {
      const text = block.text.toWellFormed()
      return text.trim() === '' ? [] : [{ text, ...signed(block.textSignature) }]
    }
    if (block.type === 'thinking') {
      const signature = signed(block.thinkingSignature)
      return 'thoughtSignature' in signature ? [{ text: block.thinking, thought: true, ...signature }] : []
    }
    const id = ids.call(block.id)
    const call = { ...(compat.callIds ? { id } : {}), name: block.name, args: block.arguments }
    const placeholder = compat.signedCalls && isFirstCall ? { thoughtSignature: unsigned } : {}
    isFirstCall = false
    return [{ functionCall: call, ...placeholder, ...signed(block.thoughtSignature) }]
  })
}

function resultPart(message: ToolResultMessage, images: readonly Part[], { model, compat, ids }: Context): Part {
  const id = ids.result(message.toolCallId)
  const textParts = message.content.filter((part) => imageForModel(part, model) === undefined)
  const text =
    textParts.map((part) => partText(part, model)).join('\n') || (images.length > 0 ? '(see the image)' : '(no output)')
  return {
    functionResponse: {
      ...(compat.callIds ? { id } : {}),
      name: message.toolName,
      response: message.isError ? { error: text } : { output: text },
      ...(compat.imagesInResults && images.length > 0 ? { parts: [...images] } : {}),
    },
  }
}

function imageParts(content: readonly UserContent[], model: Model): Part[] {
  return content.flatMap((part) => {
    const image = imageForModel(part, model)
    return image === undefined ? [] : [{ inlineData: { mimeType: image.mimeType, data: image.data } }]
  })
}
