// Models whose window, limits and prices are known, read provider by provider when they are asked for; any other id is taken as it is, with nothing claimed of it.
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

/** What is known of the models of some providers. */
export interface Catalogue {
  /** @param kin the provider whose models those are, where this one has no list or lacks the id: an endpoint of Azure, say */
  entry(provider: string, id: string, kin?: string): CatalogueEntry | undefined
  /** The ids that are listed for a provider, in alphabetical order. */
  ids(provider: string): readonly string[]
}

/** The providers that have a list. */
export const cataloguedProviders: readonly string[] = Object.keys(catalogueLoaders)

/** Emits once and completes: at once where none of these providers has a list, else when their lists are read. */
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

// How a generation of models is asked to think is known by its name, also for members that no list has yet.

const families: readonly CatalogueFamily[] = [...anthropicFamilies, ...googleFamilies, ...openAiFamilies]

/** @param name `provider/id`, with the name of the vendor whose models they are */
export function familyManners(name: string): FamilyManners | undefined {
  return families.find(({ pattern }) => pattern.test(name))?.entry
}
