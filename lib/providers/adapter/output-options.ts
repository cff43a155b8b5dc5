// What "structured output" of the vendors can hold a model to: a schema is sent as strict where all of it is in their part of JSON Schema.
import { isRecord } from '../../streams/values/json.ts'
import type { ProviderRequest } from '../../streams/ports/provider.ts'
import { contextCharacters } from '../../streams/ports/token-estimate.ts'

const strictKeywords = new Set([
  'type',
  'title',
  'description',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  '$defs',
  '$ref',
])

/**
 * True where every object is closed and nothing else stands there than types, enums, properties, items and alternatives.
 * @param optional whether properties may be left out: OpenAI wants all of them required, Anthropic does not
 */
export function isStrictSchema(schema: unknown, optional: boolean): boolean {
  if (!isRecord(schema)) return false
  if (Object.keys(schema).some((name) => !strictKeywords.has(name))) return false
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [])
  if (schema['type'] === 'object' || 'properties' in schema) {
    if (schema['additionalProperties'] !== false) return false
    if (!optional && Object.keys(properties).some((name) => !required.has(name))) return false
  }
  return innerSchemas(schema, properties).every((inner) => isStrictSchema(inner, optional))
}

function innerSchemas(
  schema: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, unknown>>,
): unknown[] {
  const { items, anyOf, $defs } = schema
  return [
    ...Object.values(properties),
    ...(items === undefined ? [] : [items]),
    ...(Array.isArray(anyOf) ? (anyOf as unknown[]) : []),
    ...(isRecord($defs) ? Object.values($defs) : []),
  ]
}

// How many tokens an answer may have: what was asked for, within what the model can say and what its window still holds.

/** The least that is left to an answer where the context seems to fill the window: the provider's own count decides. */
const minimumTokens = 1024

/** Tokens, or undefined where nobody said a number: neither the request nor `wanted` for a model that is not told to have a limit. */
export function outputLimit(request: ProviderRequest, wanted?: number): number | undefined {
  const { contextWindow, maxOutput } = request.model
  const requested = request.maxTokens ?? wanted
  if (requested === undefined) return undefined
  const allowed = Math.min(requested, maxOutput ?? requested)
  if (contextWindow === undefined) return allowed
  return Math.min(allowed, Math.max(minimumTokens, contextWindow - Math.ceil(contextCharacters(request) / 4)))
}
