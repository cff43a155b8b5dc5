// Schemas of newer catalogue data: the models that a package publishes, and rxpi's file of them.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { Count } from '../values/identifiers.ts'

const price = Type.Number({ minimum: 0 })
const prices = { input: price, output: price, cacheRead: price, cacheWrite: price }
/** Without control characters: lists are shown on terminals. */
const shown = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'
const id = Type.String({ minLength: 1, maxLength: 256, pattern: shown })
const name = Type.String({ maxLength: 256, pattern: shown })

/** A model as the package describes it; rxpi reads these fields only. */
export const PublishedModel = Type.Object(
  {
    id,
    name,
    /** Absent: `chat`. */
    type: Type.Optional(Type.String()),
    api: Type.String(),
    /** The package's own name of the provider. */
    provider: Type.Optional(Type.String()),
    reasoning: Type.Boolean(),
    input: Type.Array(Type.String()),
    cost: Type.Object({
      ...prices,
      tiers: Type.Optional(Type.Array(Type.Object({ inputTokensAbove: Count, ...prices }), { maxItems: 16 })),
    }),
    contextWindow: Count,
    maxTokens: Count,
    thinkingLevelMap: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String({ maxLength: 64 }), Type.Null()])),
    ),
    compat: Type.Optional(
      Type.Object({
        thinkingFormat: Type.Optional(Type.String()),
        supportsReasoningEffort: Type.Optional(Type.Boolean()),
        requiresReasoningContentOnAssistantMessages: Type.Optional(Type.Boolean()),
      }),
    ),
  },
  { $id: 'PublishedModel' },
)
export type PublishedModel = Readonly<Static<typeof PublishedModel>>

/** Where the data of the catalogue is from. */
export const CatalogueSource = Type.Object({
  name: id,
  version: Type.String({ maxLength: 256, pattern: '^\\d+\\.\\d+\\.\\d+(?:[-+][0-9A-Za-z.+-]+)?$' }),
  /** The day of its publication. */
  date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  licence: name,
  /** When `update_models` fetched it, in Unix ms; absent: the data that rxpi brings. */
  at: Type.Optional(Count),
})
export type CatalogueSource = Readonly<Static<typeof CatalogueSource>>

/** The first line of `catalogue.json` in rxpi's state folder; the second one has the rows, which rxpi made. */
export const CatalogueHeader = Type.Object(
  {
    v: Type.Literal(1),
    source: CatalogueSource,
    /** The SHA-512 of the package that it was made of. */
    integrity: Type.String({ maxLength: 256 }),
    /** CRC-32 of the second line. */
    crc: Count,
  },
  { $id: 'CatalogueHeader', additionalProperties: false },
)
export type CatalogueHeader = Readonly<Static<typeof CatalogueHeader>>
