// The shape of the user's file of keys; which actions there are is told by the table. Compiled ahead for the UI alone.
import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'

const Key = Type.String({ minLength: 1, maxLength: 64 })

/** `keybindings.json`: for an action one key or several; an empty list takes its keys away. */
const Keybindings = Type.Record(Type.String({ maxLength: 64 }), Type.Union([Key, Type.Array(Key, { maxItems: 16 })]), {
  $id: 'Keybindings',
})
export type Keybindings = Static<typeof Keybindings>

/** What `scripts/validators/validators.ts` compiles. */
export const keybindingsSchemas: Record<string, TSchema> = { Keybindings }
