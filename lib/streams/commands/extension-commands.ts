// Schemas of the commands about extensions: the audit of their trust.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { extensionTrustStates } from '../config/extension-trust-schema.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import { Timestamp } from '../values/identifiers.ts'

const state = stringEnum(extensionTrustStates)

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
