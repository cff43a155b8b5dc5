// Schema of keybindings.json, compiled in advance; the table of actions checks the names.
import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'

const Key = Type.String({ minLength: 1, maxLength: 64 })

/** `keybindings.json`: one or several keys for an action; an empty list removes its keys. */
const Keybindings = Type.Record(Type.String({ maxLength: 64 }), Type.Union([Key, Type.Array(Key, { maxItems: 16 })]), {
  $id: 'Keybindings',
})
export type Keybindings = Static<typeof Keybindings>

/** Compiled by `scripts/validators/validators.ts`. */
export const keybindingsSchemas: Record<string, TSchema> = { Keybindings }
