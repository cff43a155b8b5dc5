// Loads the generated catalogue of models, provider by provider, and finds a model's entry.
//
// An unknown id is valid; nothing is claimed of it.
import { defer, forkJoin, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { mergeCompat } from '../adapter/merge-compat.ts'
import { catalogueLoaders } from '../catalogue-data/index.ts'
import type { CatalogueEntry, CatalogueFamily, FamilyManners } from './catalogue-row.ts'
import { rowEntry } from './catalogue-row.ts'
import type { CatalogueRow } from './catalogue-row.ts'
import { anthropicFamilies } from './catalogue-families.ts'
import { googleFamilies } from './catalogue-families.ts'
import { openAiFamilies } from './catalogue-families.ts'

/** The known facts about the models of some providers. */
export interface Catalogue {
  /** @param kin the provider that makes the models, if this one has no list or lacks the id, as at Azure */
  entry(provider: string, id: string, kin?: string): CatalogueEntry | undefined
  /** The ids that are listed for a provider, in alphabetical order. */
  ids(provider: string): readonly string[]
}

/** The providers that have a list. */
export const cataloguedProviders: readonly string[] = Object.keys(catalogueLoaders)

/** Emits once and completes: at once if none of the providers has a list, else when their lists are loaded. */
export function catalogueOf(providers: Iterable<string>): Observable<Catalogue> {
  const listed = [...new Set(providers)].filter((provider) => Object.hasOwn(catalogueLoaders, provider))
  if (listed.length === 0) return of(catalogueWith({}))
  return forkJoin(Object.fromEntries(listed.map((provider) => [provider, rowsOf(provider)]))).pipe(map(catalogueWith))
}

function rowsOf(provider: string): Observable<readonly CatalogueRow[]> {
  return defer(() => catalogueLoaders[provider]?.() ?? of({ rows: [] })).pipe(map(({ rows }) => rows))
}

function catalogueWith(rowsByProvider: Readonly<Record<string, readonly CatalogueRow[]>>): Catalogue {
  const lists = new Map(Object.entries(rowsByProvider))
  const listed = (provider: string): readonly CatalogueRow[] => lists.get(provider) ?? []
  const found = (provider: string, id: string): CatalogueRow | undefined =>
    listed(provider).find((row) => row[0] === id)
  return {
    entry: (provider, id, kin = provider) => {
      const row = found(provider, id) ?? found(kin, id)
      const manners = familyManners(`${kin}/${id}`)
      if (row === undefined) return manners
      const entry = rowEntry(row)
      const compat = mergeCompat(entry.compat, manners?.compat)
      return { ...entry, ...(entry.compat === undefined && manners?.compat === undefined ? {} : { compat }) }
    },
    ids: (provider) => listed(provider).map(([id]) => id),
  }
}

const families: readonly CatalogueFamily[] = [...anthropicFamilies, ...googleFamilies, ...openAiFamilies]

/** @param name `provider/id`, with the vendor of the model as provider */
export function familyManners(name: string): FamilyManners | undefined {
  return families.find(({ pattern }) => pattern.test(name))?.entry
}
