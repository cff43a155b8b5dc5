// Reads newer data of the catalogue from the file that `update_models` writes.
// Guarantees: only a private file counts; older data than rxpi brings does not; a damaged file is a problem, no failure.
import { statSync } from 'node:fs'
import path from 'node:path'
import { readPrivateJson } from '../../host/files/private-files.ts'
import { errnoOf } from '../../host/files/storage-failure.ts'
import type { UsedCatalogue } from '../../streams/commands/model-commands.ts'
import type { CatalogueSource } from '../../streams/models/catalogue-schemas.ts'
import { checkCatalogueFile } from '../../streams/validation/file-validators.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import { catalogueSource } from '../catalogue-data/index.ts'
import type { CatalogueRow } from './catalogue-row.ts'

/** The data that counts. */
export interface CatalogueData {
  readonly source: CatalogueSource
  /** By provider, in place of rxpi's own lists; absent: rxpi's own data counts. */
  readonly rows?: Readonly<Record<string, readonly CatalogueRow[]>>
  /** Why the file is not used. */
  readonly problem?: string
}

/** More than the file can have: `update_models` refuses larger data. */
export const maxCatalogueBytes = 4_194_304

const builtIn: CatalogueData = { source: catalogueSource }

/** @param home `$RXPI_HOME` */
export function catalogueFile(home: string): string {
  return path.join(home, 'catalogue.json')
}

/** The last file that was read; it is read again when it has changed. */
let known: { readonly stamp: string; readonly data: CatalogueData } | undefined

/** Never fails. @param file absolute; undefined: rxpi's own data */
export function catalogueData(file: string | undefined): CatalogueData {
  if (file === undefined) return builtIn
  const stamp = stampOf(file)
  if (stamp === undefined) return builtIn
  if (known?.stamp !== stamp) known = { stamp, data: readData(file) }
  return known.data
}

/** The data that counts, as results of commands have it. */
export function usedCatalogue(file: string | undefined): UsedCatalogue {
  const { source, problem } = catalogueData(file)
  return { ...source, ...(problem === undefined ? {} : { problem }) }
}

/** Undefined if there is no file. */
function stampOf(file: string): string | undefined {
  try {
    const { ino, size, mtimeMs, mode } = statSync(file)
    return [file, ino, size, mtimeMs, mode].join(':')
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? undefined : `${file}:${describeThrown(error)}`
  }
}

function readData(file: string): CatalogueData {
  try {
    const checked = checkCatalogueFile(readPrivateJson(file, maxCatalogueBytes))
    if (!checked.ok) throw new Error(checked.problem)
    const { source, rows } = checked.value
    return source.date < catalogueSource.date ? builtIn : { source, rows }
  } catch (error) {
    const advice = 'rxpi models update fetches it again, rxpi models update --reset removes it'
    return { ...builtIn, problem: `${file} cannot be used: ${describeThrown(error)}; ${advice}` }
  }
}
