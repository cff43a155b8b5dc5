// Builds the whole protocol as one JSON Schema (draft 2020-12).
// It holds requests, frames and every shape in them.
import type { TSchema } from '@sinclair/typebox'
import { RequestEnvelope, commandSchemas, resultSchemas } from '../commands/command.ts'
import { failureTable } from '../values/failure.ts'
import { frameSchemas } from './frame-schemas.ts'
import { schemas } from './schemas.ts'

/** A JSON value that is a schema, references as `#/$defs/<name>`. */
export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * `$defs` has `Request` (any line of a client) and `Frame` (any line of a server), `command_<type>` with the request's
 * own fields, `result_<type>`, `event_<type>`, `frame_<name>`, `ErrorCode` and their parts. The top is either of the
 * two.
 */
export function protocolSchema(): JsonSchema & { readonly $defs: Readonly<Record<string, JsonSchema>> } {
  const { type: _, ...envelope } = RequestEnvelope.properties
  const requests = Object.entries(commandSchemas).map(([name, schema]) => {
    const properties = { ...envelope, ...schema.properties }
    return [`command_${name}`, { ...plain(schema), properties: plain(properties), required: required(schema) }] as const
  })
  const all = [...Object.values(schemas), ...Object.values(resultSchemas), ...Object.values(frameSchemas)]
  const shapes = all.map((schema) => [String(schema.$id), plain(schema)] as const)
  const frames = Object.values(frameSchemas).map(({ $id }) => String($id))
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The protocol of rxpi, version 1: one JSON object a line',
    anyOf: [ref('Request'), ref('Frame')],
    $defs: {
      Request: { oneOf: requests.map(([name]) => ref(name)) },
      Frame: { oneOf: frames.map(ref) },
      ErrorCode: { enum: Object.keys(failureTable) },
      ...Object.fromEntries(shapes.filter(([name]) => !unsent.has(name))),
      ...Object.fromEntries(requests),
    },
  }
}

/** Files and lines that never cross the wire. */
const unsent = new Set(['RequestEnvelope', 'LogLine', 'CheckpointLine', 'SessionsIndex', 'SessionFacts', 'Settings'])

function required(schema: { readonly required?: readonly string[] }): string[] {
  return ['id', ...(schema.required ?? [])]
}

function ref(name: string): JsonSchema {
  return { $ref: `#/$defs/${name}` }
}

/** The schema as JSON, without the `$id`s, which would change the base of references. */
function plain(schema: TSchema | Readonly<Record<string, unknown>>): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === '$id') return undefined
    return key === '$ref' && typeof value === 'string' ? `#/$defs/${value}` : value
  }) as JsonSchema // an object goes in
}
