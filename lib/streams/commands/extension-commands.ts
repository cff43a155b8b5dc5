// Schemas of the commands about extensions: list them, decide about their trust, read the audit.
// No model is offered these commands (docs/design/security.md#S1).
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { extensionTrustStates } from '../config/extension-trust-schema.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import { Timestamp } from '../values/identifiers.ts'
import { extensionUiParameters, extensionUiResults } from './extension-ui-commands.ts'
import { renderParameters, renderResults } from './render-commands.ts'
import { packageParameters, packageResults } from './package-commands.ts'
import { surfaceParameters, surfaceResults } from '../surfaces/surface-commands.ts'
import { extensionPaths, surroundings, trustParameter } from './surroundings.ts'

const state = stringEnum(extensionTrustStates)
const origin = stringEnum(['user', 'project', 'package', 'path'])

/** The name of an extension, its id or its absolute path; the name of a package means all its extensions. */
const extension = Type.String({ minLength: 1, maxLength: 8_192 })
const where = { ...surroundings, ...trustParameter, ...extensionPaths }
const reason = Type.Optional(Type.String({ maxLength: 500 }))

export const extensionParameters = {
  /** Lists the extensions that a session in `cwd` would find, with their trust; runs none. */
  extension_list: where,
  /**
   * Stores a person's decision. `digest` is that of the list: other content is refused. `pending` removes the decision.
   * `dev`: changed content needs no new decision. `isolate`: it runs in a worker thread. `mayReplace`: built-in tools that it
   * may replace.
   */
  extension_trust: {
    ...where,
    extension,
    answer: stringEnum(['trust', 'acknowledge', 'pending']),
    digest: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
    dev: Type.Optional(Type.Boolean()),
    isolate: Type.Optional(Type.Boolean()),
    mayReplace: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 200 })),
    reason,
  },
  /** Ends the extension in every session at once, and keeps it from running until a person trusts it again. */
  extension_kill: { ...where, extension, reason },
  /** Lists the last 200 entries of the audit, or `limit`: decisions, loads, and uses by acknowledged extensions. */
  extension_audit: {
    extension: Type.Optional(extension),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  },
  ...extensionUiParameters,
  ...renderParameters,
  ...packageParameters,
  ...surfaceParameters,
}

/** One extension that was found, not loaded. */
export const ExtensionRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  origin,
  /** The folder or the single file, and the module in it; absolute. */
  root: Type.String(),
  entry: Type.String(),
  digest: Type.String(),
  state,
  /** True if a person decided about other content of it. */
  changed: Type.Optional(Type.Boolean()),
  dev: Type.Optional(Type.Boolean()),
  /** True if it runs in a worker thread. */
  isolate: Type.Optional(Type.Boolean()),
  /** True if it is written for pi. */
  pi: Type.Optional(Type.Boolean()),
  mayReplace: Type.Optional(Type.Array(Type.String())),
})
export type ExtensionRow = Static<typeof ExtensionRow>

/**
 * A line of the audit. A decision has `activated`, `reason`, `operator`, `previous`, `next` and `digest`; a use of a
 * capability has `capability` and `detail`.
 */
export const ExtensionAuditEntry = Type.Object({
  time: Timestamp,
  id: Type.String(),
  name: Type.Optional(Type.String()),
  activated: Type.Optional(Type.Boolean()),
  reason: Type.Optional(Type.String()),
  operator: Type.Optional(Type.String()),
  previous: Type.Optional(state),
  next: Type.Optional(state),
  digest: Type.Optional(Type.String()),
  capability: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String()),
  session: Type.Optional(Type.String()),
})
export type ExtensionAuditEntry = Static<typeof ExtensionAuditEntry>

const problems = Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))
const rows = Type.Array(ExtensionRow)

export const extensionResults = {
  extension_list: { extensions: rows, problems },
  /** The extensions that the decision is about, as they are now. */
  extension_trust: { extensions: rows },
  extension_kill: { extensions: rows },
  /** Oldest first; `more`: there are older ones. */
  extension_audit: { entries: Type.Array(ExtensionAuditEntry), more: Type.Boolean() },
  ...extensionUiResults,
  ...renderResults,
  ...packageResults,
  ...surfaceResults,
}
