// Schema of the command that lists models.
// It covers catalogue, custom and served models, and says which of them can be used now.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { Count, SessionId } from '../values/identifiers.ts'
import { thinkingLevels } from '../models/model.ts'
import type { Model } from '../models/model.ts'
import { CatalogueSource } from '../models/catalogue-schemas.ts'
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
  /**
   * Fetches newer data of the catalogue: the package that it is made of, by the machine's npm. No code of the package
   * runs. Models are resolved with it from then on.
   */
  update_models: {
    ...surroundings,
    /** True: reports what the registry has, and changes nothing. */
    check: Type.Optional(Type.Boolean()),
    /** True: returns to the data that rxpi brings, without network. */
    reset: Type.Optional(Type.Boolean()),
  },
}

/** The data of the catalogue that is used. */
export const UsedCatalogue = Type.Object({
  ...CatalogueSource.properties,
  /** Why newer data on the disk is not used. */
  problem: Type.Optional(Type.String()),
})
export type UsedCatalogue = Static<typeof UsedCatalogue>

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
    source: UsedCatalogue,
  },
  update_models: {
    /** The data that is used now. */
    source: UsedCatalogue,
    /** Data of the registry; absent with `reset`. */
    latest: Type.Optional(Type.Object({ version: Type.String(), date: Type.String() })),
    /** True if the registry has newer data than was used before the command. */
    newer: Type.Boolean(),
    /** True if other data is used than before the command. */
    changed: Type.Boolean(),
    /** The models of the new data. */
    models: Type.Optional(Count),
    /** Providers that the package does not list: the lists that rxpi brings stay. */
    unlisted: Type.Optional(Type.Array(Type.String())),
    /** Models of plans that are left out: the package names an API that this rxpi does not use for them. */
    leftOut: Type.Optional(Type.Array(Type.String())),
  },
}
