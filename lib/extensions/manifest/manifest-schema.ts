// Defines the schema of an extension's manifest, as its module exports it.
import { Type } from '@sinclair/typebox'
import { capabilities } from '../../streams/ports/tool.ts'
import { stringEnum } from '../../streams/schema/schema-helpers.ts'

const Range = Type.String({ minLength: 1, maxLength: 200 })

/** The fields beside `setup`; unknown ones are refused, so that a misspelt one is found. */
const ExtensionManifest = Type.Object(
  {
    name: Type.String({ pattern: String.raw`^(@[a-z0-9][\w.-]{0,60}/)?[a-z0-9][a-z0-9._-]*$`, maxLength: 100 }),
    version: Type.String({ minLength: 1, maxLength: 100 }),
    rxpi: Type.Optional(Range),
    capabilities: Type.Optional(
      Type.Array(stringEnum([...capabilities, 'execute', 'network'] as const), { maxItems: 20 }),
    ),
    config: Type.Optional(Type.Object({}, { additionalProperties: true })),
    dependencies: Type.Optional(Type.Record(Type.String(), Range)),
    replaces: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 50 })),
  },
  { $id: 'ExtensionManifest', additionalProperties: false },
)

export const manifestSchemas = { ExtensionManifest }
