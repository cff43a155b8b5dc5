// Computes two request fields: the output limit, and whether the output schema can be strict.
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
 * True if the vendors' strict mode supports the schema: every object is closed, and only the keywords above occur.
 * @param optional true if properties may be optional: Anthropic allows it, OpenAI does not
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

/** The lower limit if the context seems to fill the window; the provider's own count decides then. */
const minimumTokens = 1024

/**
 * Returns tokens: the request's limit, else `wanted`, cut to the model's maximum and to the free part of its window.
 * Undefined if neither is set.
 */
export function outputLimit(request: ProviderRequest, wanted?: number): number | undefined {
  const { contextWindow, maxOutput } = request.model
  const requested = request.maxTokens ?? wanted
  if (requested === undefined) return undefined
  const allowed = Math.min(requested, maxOutput ?? requested)
  if (contextWindow === undefined) return allowed
  return Math.min(allowed, Math.max(minimumTokens, contextWindow - Math.ceil(contextCharacters(request) / 4)))
}
