// Schema of the command that lists models.
// It covers catalogue, custom and served models, and says which of them can be used now.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { Count, SessionId } from '../values/identifiers.ts'
import { thinkingLevels } from '../models/model.ts'
import type { Model } from '../models/model.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import { surroundings } from './surroundings.ts'

export const modelParameters = {
  /**
   * Lists all models: the catalogue's, those of `models.json`, and those that endpoints on this machine serve. Usable
   * models come first; with `search`, the best match comes first.
   */
  list_models: {
    ...surroundings,
    /** With the models that extensions of this open session offer. */
    session: Type.Optional(SessionId),
    /** Fuzzy search in `provider/id` and name; words in any order. */
    search: Type.Optional(Type.String({ maxLength: 200 })),
    /** Only models of this provider. */
    provider: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    /** Only models that can be used now: they need no key, or a key is set. */
    usable: Type.Optional(Type.Boolean()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  },
}

export const ListedModel = Type.Object({
  model: Type.Unsafe<Model>(Type.Ref('Model')),
  /** True if the model needs no key or a key is set. */
  usable: Type.Boolean(),
  /** True if an endpoint on this machine serves it. */
  served: Type.Boolean(),
})
export type ListedModel = Static<typeof ListedModel>

/** A role that the settings name a model for, in this folder. */
export const ListedRole = Type.Object({
  role: Type.String(),
  model: Type.String(),
  thinkingLevel: Type.Optional(stringEnum(thinkingLevels)),
  fallbacks: Type.Optional(Type.Array(Type.String())),
  /** The setting: `models.plan`. */
  setting: Type.String(),
})
export type ListedRole = Static<typeof ListedRole>

export const modelResults = {
  list_models: {
    models: Type.Array(ListedModel),
    /** The number of models without `limit`. */
    total: Count,
    /** Local endpoints that were queried; `problem` says why one did not answer. */
    endpoints: Type.Array(
      Type.Object({ provider: Type.String(), baseUrl: Type.String(), problem: Type.Optional(Type.String()) }),
    ),
    /** The models of roles, as the settings of the folder name them. */
    roles: Type.Optional(Type.Array(ListedRole)),
    /** The source of the catalogue. */
    source: Type.Object({ name: Type.String(), version: Type.String(), date: Type.String(), licence: Type.String() }),
  },
}
