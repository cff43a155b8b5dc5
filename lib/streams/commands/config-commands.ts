// Commands about the user's settings: for people only, never offered to a model (docs/design/security.md#S1).
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { stringEnum } from '../schema/schema-helpers.ts'
import { surroundings } from './surroundings.ts'

/** As in `settings.json`; a key within another one is joined with a dot: `limits.turns`. */
const key = Type.String({ minLength: 1, maxLength: 100 })

export const configParameters = {
  /** Every setting there is, with what it is and where that comes from. */
  config_list: surroundings,
  config_get: { ...surroundings, key },
  /** Writes `settings.json`; `null` takes the setting out of it. A text where a list is wanted is split at its commas. */
  config_set: { ...surroundings, key, value: Type.Unknown() },
}

/** One setting; without `value` nobody has set it. The environment goes before the file. */
export const Setting = Type.Object({
  key: Type.String(),
  /** What it can be, in words. */
  takes: Type.String(),
  value: Type.Optional(Type.Unknown()),
  from: Type.Optional(stringEnum(['file', 'environment'])),
  /** That would set it, or does. */
  variable: Type.Optional(Type.String()),
})
export type Setting = Static<typeof Setting>

export const configResults = {
  /** `file`: the absolute path of `settings.json`, whether it is there or not. */
  config_list: { file: Type.String(), settings: Type.Array(Setting) },
  config_get: { file: Type.String(), setting: Setting },
  /** What it is now; the environment may go before what was written, as `setting.from` says. */
  config_set: { file: Type.String(), setting: Setting },
}
