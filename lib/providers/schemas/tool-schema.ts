// Normalises the schema of a tool by the rules of each API; each schema once.
import type { TObject } from '@sinclair/typebox'
import type { Model } from '../../streams/models/model.ts'
import type { Api } from '../adapter/merge-compat.ts'
import { acceptedNames } from './anthropic-schema.ts'
import { googleToolSchema } from './google-schema.ts'
import type { JsonSchema } from './json-schema.ts'
import { objectRoot } from './object-root.ts'
import { repairSchema } from './repair-schema.ts'
import { strictSchema } from './strict-schema.ts'

/** For `POST /chat/completions` and `POST /responses`. Returns the schema itself if the API takes it. */
export const openAiToolSchema = once((schema) => objectRoot(repairSchema(schema)))

/** For `POST /v1/messages`. Returns the schema itself if the API takes it. */
export const anthropicToolSchema = once((schema) => acceptedNames(objectRoot(repairSchema(schema))))

/** For `:streamGenerateContent`. */
export const googleParameters = once(googleToolSchema)

const strictSchemas = new WeakMap<TObject, { readonly schema: JsonSchema | undefined }>()

/** The form of OpenAI's strict mode; undefined if the schema has none. */
export function openAiStrictSchema(parameters: TObject): JsonSchema | undefined {
  const known = strictSchemas.get(parameters) ?? { schema: strictSchema(openAiToolSchema(parameters)) }
  strictSchemas.set(parameters, known)
  return known.schema
}

const byApi = new Map<string, Normaliser>([
  ['openai-completions', openAiToolSchema],
  ['openai-responses', openAiToolSchema],
  ['anthropic-messages', anthropicToolSchema],
  ['google-generative-ai', googleParameters],
  ['google-vertex', googleParameters],
] satisfies [Api, Normaliser][])

/** The port of the layer that normalises schemas. A schema for another API stays as it is. */
export function toolSchemas({ api }: Pick<Model, 'api'>): Normaliser {
  return byApi.get(api) ?? ((schema) => schema)
}

type Normaliser = (schema: TObject) => TObject

/** Remembers the result for each schema while it lives; a result is normalised already. */
function once(normalise: (schema: JsonSchema) => JsonSchema): Normaliser {
  const results = new WeakMap<TObject, TObject>()
  return (schema) => {
    const known = results.get(schema)
    if (known !== undefined) return known
    const result = normalise(schema) as TObject // its root is an object with properties
    results.set(schema, result)
    results.set(result, result)
    return result
  }
}
