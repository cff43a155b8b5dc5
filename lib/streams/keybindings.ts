// The user's keys for the terminal UI: which actions there are is the UI's to know, the file's shape is told here.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

const Key = Type.String({ minLength: 1, maxLength: 64 })

/** `keybindings.json`: for an action one key or several; an empty list takes its keys away. */
export const Keybindings = Type.Record(
  Type.String({ maxLength: 64 }),
  Type.Union([Key, Type.Array(Key, { maxItems: 16 })]),
  { $id: 'Keybindings' },
)
export type Keybindings = Static<typeof Keybindings>
