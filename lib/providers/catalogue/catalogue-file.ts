// Reads newer data of the catalogue from the file that `update_models` writes.
// Guarantees: only a private file counts; older data than rxpi brings does not; a damaged file is a problem, no failure.
import { statSync } from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { readPrivateText } from '../../host/files/private-files.ts'
import { errnoOf } from '../../host/files/storage-failure.ts'
import type { UsedCatalogue } from '../../streams/commands/model-commands.ts'
import type { CatalogueHeader, CatalogueSource } from '../../streams/models/catalogue-schemas.ts'
import { checkCatalogueHeader } from '../../streams/validation/file-validators.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import { describeJsonFault } from '../../streams/values/json-fault.ts'
import { catalogueSource } from '../catalogue-data/index.ts'
import type { CatalogueRow } from './catalogue-row.ts'

/** The data that counts. */
export interface CatalogueData {
  readonly source: CatalogueSource
  /** By provider, in place of rxpi's own lists; absent: rxpi's own data counts. */
  readonly rows?: CatalogueRows
  /** Why the file is not used. */
  readonly problem?: string
}

/** More than the file can have: `update_models` refuses larger data. */
export const maxCatalogueBytes = 4_194_304

const builtIn: CatalogueData = { source: catalogueSource }

export type CatalogueRows = Readonly<Record<string, readonly CatalogueRow[]>>

/** The text of the file: a header, then the rows in one line, whose checksum spares a check of each row at each start. */
export function catalogueText(header: Pick<CatalogueHeader, 'source' | 'integrity'>, rows: CatalogueRows): string {
  const line = JSON.stringify(rows)
  const whole: CatalogueHeader = { v: 1, ...header, crc: crc32(line) }
  return `${JSON.stringify(whole)}\n${line}\n`
}

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
    const [first = '', second = ''] = (readPrivateText(file, maxCatalogueBytes) ?? '').split('\n', 2)
    const checked = checkCatalogueHeader(parse(first))
    if (!checked.ok) throw new Error(checked.problem)
    const { source, crc } = checked.value
    if (crc32(second) !== crc) throw new Error('its checksum is wrong')
    return source.date < catalogueSource.date ? builtIn : { source, rows: JSON.parse(second) as CatalogueRows } // as written
  } catch (error) {
    const advice = 'rxpi models update fetches it again, rxpi models update --reset removes it'
    return { ...builtIn, problem: `${file} cannot be used: ${describeThrown(error)}; ${advice}` }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(describeJsonFault(text))
  }
}
