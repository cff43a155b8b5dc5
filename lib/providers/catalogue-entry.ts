// What is known of a model beside its name; a family's manners are known without any of its members' numbers.
import type { Model } from '../streams/model.ts'
import type { ApiCompat } from './api-compat.ts'

export interface CatalogueEntry extends Partial<Pick<Model, 'contextWindow' | 'maxOutput' | 'inputs' | 'prices'>> {
  readonly reasoning: boolean
  readonly compat?: ApiCompat
}

/** Dated and newer members of a family, by what `provider/id` looks like. */
export interface CatalogueFamily {
  readonly pattern: RegExp
  readonly entry: CatalogueEntry
}

/** The entry without its window, limits and prices. */
export function mannersOf({ reasoning, inputs, compat }: CatalogueEntry): CatalogueEntry {
  return { reasoning, ...(inputs === undefined ? {} : { inputs }), ...(compat === undefined ? {} : { compat }) }
}
