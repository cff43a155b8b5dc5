// The command about models: what is known, what is served here, and which of them can be asked now.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { Count } from '../values/identifiers.ts'
import type { Model } from '../models/model.ts'
import { surroundings } from './surroundings.ts'

export const modelParameters = {
  /**
   * What can be named: the catalogue's models, those of `models.json`, and what endpoints on this machine serve. Those that can be
   * asked now come first; with `search` the best match does.
   */
  list_models: {
    ...surroundings,
    /** Loosely, in `provider/id` and name; words in any order. */
    search: Type.Optional(Type.String({ maxLength: 200 })),
    /** Of this one alone. */
    provider: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    /** Those alone that can be asked now: no key is asked for, or one is there. */
    usable: Type.Optional(Type.Boolean()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  },
}

export const ListedModel = Type.Object({
  model: Type.Unsafe<Model>(Type.Ref('Model')),
  /** No key is asked for, or one is there. */
  usable: Type.Boolean(),
  /** An endpoint on this machine says that it serves it. */
  served: Type.Boolean(),
})
export type ListedModel = Static<typeof ListedModel>

export const modelResults = {
  list_models: {
    models: Type.Array(ListedModel),
    /** How many there are without `limit`. */
    total: Count,
    /** Endpoints on this machine that were asked what they serve; without `problem` they said it. */
    endpoints: Type.Array(
      Type.Object({ provider: Type.String(), baseUrl: Type.String(), problem: Type.Optional(Type.String()) }),
    ),
    /** Where the catalogue is from. */
    source: Type.Object({ name: Type.String(), version: Type.String(), date: Type.String(), licence: Type.String() }),
  },
}
