// Schemas of the commands about surfaces: a client tells its size, sends keys, closes one.
import { Type } from '@sinclair/typebox'
import { SessionId } from '../values/identifiers.ts'

/** The `id` of a `surface` event. */
const surface = Type.String({ minLength: 1, maxLength: 300 })
const cells = Type.Integer({ minimum: 1, maximum: 10_000 })

export const surfaceParameters = {
  /** The size that this client has for surfaces; from then on it gets them, until it detaches. */
  surface_resize: { session: SessionId, columns: cells, rows: cells },
  /** A key for a surface: `data` as a terminal sends it, `name` as the client calls it. */
  surface_key: {
    session: SessionId,
    surface,
    data: Type.String({ minLength: 1, maxLength: 65_536 }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  },
  /** A person closes a surface, for all clients. */
  surface_close: { session: SessionId, surface },
}

export const surfaceResults = {
  surface_resize: {},
  /**
   * `taken: false`: the client does with the key what it does without the surface. Of an editor: `text` is its text after the key,
   * `submit` a text that the person sends.
   */
  surface_key: {
    taken: Type.Boolean(),
    text: Type.Optional(Type.String()),
    submit: Type.Optional(Type.String()),
  },
  surface_close: {},
}
