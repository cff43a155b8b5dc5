// One request in the provider-independent form becomes what the SDK's `generateContentStream` takes; pure.
import type { ProviderRequest } from '../../streams/ports/provider.ts'
import type { ToolDefinition } from '../../streams/ports/tool.ts'
import type { GoogleCompat } from './google-compat.ts'
import { googleHistory } from './google-history.ts'
import { googleSchema } from './google-schema.ts'
import type { GoogleFunction, GoogleParameters } from './google-wire.ts'
import { outputLimit } from '../adapter/output-limit.ts'

/**
 * The parameters of one streamed answer. The history is made well formed first. The schemas of tools are sent in Google's part
 * of JSON Schema. Nothing that the SDK would do by itself (calling functions, asking again) is left to it.
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

/** Before Gemini 3 the API takes no schema of an answer beside functions. */
function structured({ outputSchema, tools }: ProviderRequest, compat: GoogleCompat): Partial<Config> {
  if (outputSchema === undefined || (tools.length > 0 && compat.thinking === 'budget')) return {}
  return { responseMimeType: 'application/json', responseJsonSchema: googleSchema(outputSchema) }
}

function declaration({ name, description, parameters }: ToolDefinition): GoogleFunction {
  return { name, description, parametersJsonSchema: googleSchema(parameters) }
}

function toolConfig({ toolChoice: choice }: ProviderRequest, compat: GoogleCompat): Pick<Config, 'toolConfig'> {
  const asked = {
    ...(choice === undefined ? {} : { mode: modes[typeof choice === 'string' ? choice : 'required'] }),
    ...(typeof choice === 'object' ? { allowedFunctionNames: [choice.name] } : {}),
    ...(compat.streamArguments ? { streamFunctionCallArguments: true as const } : {}),
  }
  return Object.keys(asked).length === 0 ? {} : { toolConfig: { functionCallingConfig: asked } }
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
