// What is known of a model beside its name; a family's manners are known without any of its members' numbers.
import type { Model } from '../../streams/models/model.ts'
import type { ApiCompat } from '../adapter/api-compat.ts'

export interface CatalogueEntry extends Partial<
  Pick<Model, 'name' | 'contextWindow' | 'maxOutput' | 'inputs' | 'prices'>
> {
  readonly reasoning: boolean
  readonly compat?: ApiCompat
}

/** What all models of a generation have in common. */
export type FamilyManners = Pick<CatalogueEntry, 'reasoning' | 'inputs' | 'compat'>

/** The members of a family, dated and newer ones too, by what `provider/id` looks like. */
export interface CatalogueFamily {
  readonly pattern: RegExp
  readonly entry: FamilyManners
}
