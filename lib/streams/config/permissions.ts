// Schema of permission rules, as settings.json and the remembered approvals hold them.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

const closed = { additionalProperties: false }
const ruleText = Type.String({ minLength: 1, maxLength: 1_000 })
const examples = Type.Optional(Type.Array(Type.String()))

/** `tool` or `tool(pattern)`; as an object, with calls that it must and must not match, checked when it is loaded. */
export const PermissionEntry = Type.Union([
  ruleText,
  Type.Object({ rule: ruleText, match: examples, notMatch: examples }, closed),
])
export type PermissionEntry = Static<typeof PermissionEntry>

const entries = Type.Optional(Type.Array(PermissionEntry, { maxItems: 1_000 }))

/** A deny rule always wins, an ask rule next; an allow rule replaces a question. */
export const Permissions = Type.Object({ allow: entries, ask: entries, deny: entries }, closed)
export type Permissions = Static<typeof Permissions>
