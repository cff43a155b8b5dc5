// Reads a provider's catalogue as a promise.
import { catalogueOf } from '../../../lib/providers/catalogue/catalogue.ts'
import type { Catalogue } from '../../../lib/providers/catalogue/catalogue.ts'

export function readCatalogue(providers: Iterable<string>, file?: string): Promise<Catalogue> {
  return new Promise((resolve, reject) => {
    catalogueOf(providers, file).subscribe({ next: resolve, error: reject })
  })
}
