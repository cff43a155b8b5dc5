// One request in the provider-independent form becomes what the SDK's `generateContentStream` takes; pure.
import type { ProviderRequest } from '../../streams/ports/provider.ts'
import type { ToolDefinition } from '../../streams/ports/tool.ts'
import type { GoogleCompat } from './google-options.ts'
import { googleHistory } from './google-history.ts'
import type { GoogleFunction, GoogleParameters } from './google-parameters.ts'
import { outputLimit } from '../adapter/output-options.ts'
import { getOwn } from '../../streams/values/json.ts'

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

// Google takes a part of JSON Schema; what it does not take is told to the model in words, in the description of where it stood.

type Schema = Readonly<Record<string, unknown>>

/** What is sent as it is (ai.google.dev/gemini-api/docs/function-calling, structured output). */
const plain = new Set([
  'type',
  'format',
  'title',
  'description',
  'enum',
  'required',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  '$ref',
])
/** Says nothing about what a value may be. */
const silent = new Set(['$id', '$schema', '$comment', 'examples', 'default', 'deprecated', 'readOnly', 'writeOnly'])

/** The schema in Google's part of JSON Schema; a new object. `const` becomes an `enum` of one. Linear. */
export function googleSchema(schema: unknown): Record<string, unknown> {
  const given = isSchema(schema) ? schema : {}
  const sent: Record<string, unknown> = {}
  const told: string[] = []
  for (const [name, value] of Object.entries(given)) {
    const within = getOwn(nested, name)
    if (within !== undefined) sent[name] = within(value)
    else if (name === 'const') sent['enum'] = [value]
    else if (plain.has(name)) sent[name] = value
    else if (!silent.has(name)) told.push(`${name}: ${JSON.stringify(value)}`)
  }
  if (told.length === 0) return sent
  const description = typeof sent['description'] === 'string' ? `${sent['description']} ` : ''
  return { ...sent, description: `${description}(${told.join('; ')})` }
}

const one = (value: unknown): unknown => (isSchema(value) ? googleSchema(value) : value)
const list = (value: unknown): unknown => (Array.isArray(value) ? value.map(googleSchema) : value)
const byName = (value: unknown): unknown =>
  isSchema(value)
    ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, googleSchema(schema)]))
    : value

const nested: Readonly<Record<string, (value: unknown) => unknown>> = {
  properties: byName,
  $defs: byName,
  items: one,
  additionalProperties: one,
  prefixItems: list,
  anyOf: list,
  oneOf: list,
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
