// Schemas of what the extensions of an open session show: status texts, keys, themes.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { stringEnum } from '../schema/schema-helpers.ts'
import { Count, SessionId } from '../values/identifiers.ts'

/** The roles whose colour a theme may set. */
export const themeRoles = [
  'accent',
  'prompt',
  'code',
  'heading',
  'link',
  'success',
  'warning',
  'danger',
  'added',
  'removed',
  'keyword',
  'string',
  'number',
  'comment',
  'name',
] as const
export type ThemeRole = (typeof themeRoles)[number]

const extension = Type.String()

/** A short text beside the state of the session; `key` tells the texts of one extension apart. */
export const ExtensionStatus = Type.Object({ extension, key: Type.String(), text: Type.String() })
export type ExtensionStatus = Static<typeof ExtensionStatus>

/** A line that was shown while the session was opened; `seq`: of the last event before it. */
export const ExtensionNotice = Type.Object({
  extension,
  level: stringEnum(['info', 'warning', 'error']),
  text: Type.String(),
  seq: Count,
})
export type ExtensionNotice = Static<typeof ExtensionNotice>

/** A key that runs a command of the extension: the prompt `/command argument`. */
export const ExtensionKey = Type.Object({
  extension,
  key: Type.String(),
  command: Type.String(),
  argument: Type.Optional(Type.String()),
  description: Type.String(),
})
export type ExtensionKey = Static<typeof ExtensionKey>

/** A command of an extension, without its slash. */
export const ExtensionCommandName = Type.Object({ extension, name: Type.String() })
export type ExtensionCommandName = Static<typeof ExtensionCommandName>

/** Colours over those of `base`: one of 256, or `#rrggbb`. */
export const ExtensionTheme = Type.Object({
  extension,
  name: Type.String(),
  base: stringEnum(['dark', 'light']),
  colours: Type.Record(Type.String(), Type.Union([Type.Integer({ minimum: 0, maximum: 255 }), Type.String()])),
})
export type ExtensionTheme = Static<typeof ExtensionTheme>

export const extensionUiParameters = {
  /**
   * Display of the extensions of an open session. The transient event `status` with the code `extension_status` brings a
   * changed text; one with the code `extension_ui` says that keys or themes changed.
   */
  get_extension_ui: { session: SessionId },
  /**
   * Loads the extensions of an open session anew, from their files as they are now. Content that a person has not decided about
   * stays as it was. The response comes when all are loaded; a fault is a warning of the session.
   */
  reload: { session: SessionId },
}

const extensionUi = {
  statuses: Type.Array(ExtensionStatus),
  /** Since the session was opened, until its first run. */
  notices: Type.Array(ExtensionNotice),
  keys: Type.Array(ExtensionKey),
  themes: Type.Array(ExtensionTheme),
  /** The commands of the extensions: a client that runs one of the same name itself can say so. Absent if there are none. */
  commands: Type.Optional(Type.Array(ExtensionCommandName)),
  /** The types of `custom` events that `render_event` draws; absent if there are none. */
  renders: Type.Optional(Type.Array(Type.String())),
  /** The tools whose results it draws (`tool_execution_end`, and the message of the result). */
  rendersTools: Type.Optional(Type.Array(Type.String())),
  /** The roles of the messages (`message_end`) for which it draws something: `user`, `assistant`. */
  rendersMessages: Type.Optional(Type.Array(Type.String())),
}

export const extensionUiResults = {
  get_extension_ui: extensionUi,
  /** The names of those that run now, in the order of loading. */
  reload: { extensions: Type.Array(Type.String()) },
}

export interface ExtensionUi {
  readonly statuses: readonly ExtensionStatus[]
  readonly notices: readonly ExtensionNotice[]
  readonly keys: readonly ExtensionKey[]
  readonly themes: readonly ExtensionTheme[]
  readonly commands?: readonly ExtensionCommandName[]
  readonly renders?: readonly string[]
  readonly rendersTools?: readonly string[]
  readonly rendersMessages?: readonly string[]
}

/** Of a session without extensions. */
export const noExtensionUi: ExtensionUi = { statuses: [], notices: [], keys: [], themes: [] }
