// Schema of `extension-trust.json`, the file with a person's decisions about extensions.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { stringEnum } from '../schema/schema-helpers.ts'

const closed = { additionalProperties: false }

/**
 * `acknowledged` runs, and each use of a capability is audited; `trusted` runs; `killed` does not run until a person
 * says otherwise, whatever its content. Only these two run.
 */
export const extensionTrustStates = ['pending', 'acknowledged', 'trusted', 'killed'] as const
export type ExtensionTrustState = (typeof extensionTrustStates)[number]

/** A decision holds for exactly the content with this digest; `dev` and `killed` hold for every content. */
export const ExtensionRecord = Type.Object(
  {
    state: stringEnum(['acknowledged', 'trusted', 'killed']),
    digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    /** Unix ms. */
    at: Type.Number({ minimum: 0 }),
    /** A person develops it: changed content needs no new decision. */
    dev: Type.Optional(Type.Boolean()),
    /** It runs in a worker thread. */
    isolate: Type.Optional(Type.Boolean()),
    /** Built-in tools that it may replace. */
    mayReplace: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 200 })),
  },
  closed,
)
export type ExtensionRecord = Readonly<Static<typeof ExtensionRecord>>

/** `extension-trust.json` in `$RXPI_HOME`, by the id of the extension. */
export const ExtensionTrustFile = Type.Object(
  { v: Type.Literal(1), extensions: Type.Record(Type.String(), ExtensionRecord) },
  { $id: 'ExtensionTrustFile', ...closed },
)
export type ExtensionTrustFile = Static<typeof ExtensionTrustFile>
