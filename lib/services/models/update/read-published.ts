// Reads the models of a package's tarball: one JSON file a provider, with groups of models by API.
// Guarantees: nothing is written or run; only literals of JSON count; bounded in bytes, files and models.
import { gunzip } from 'node:zlib'
import { bindNodeCallback, catchError, from, map, mergeMap, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CatalogueRows } from '../../../providers/catalogue/catalogue-file.ts'
import { publishedProviders, publishedRows } from '../../../providers/catalogue/published-rows.ts'
import type { PublishedModel } from '../../../streams/models/catalogue-schemas.ts'
import { checkPublishedModel } from '../../../streams/validation/file-validators.ts'
import { Failure, describeThrown } from '../../../streams/values/failure.ts'
import { describeJsonFault } from '../../../streams/values/json-fault.ts'
import { isRecord } from '../../../streams/values/json.ts'
import { updateFailure } from './update-failure.ts'

export interface PublishedCatalogue {
  readonly rows: CatalogueRows
  readonly models: number
  /** Providers that the package does not list. */
  readonly missing: readonly string[]
  /** `provider/id` of models with an API that rxpi does not use for them. */
  readonly leftOut: readonly string[]
}

const maxUnpacked = 134_217_728
const maxFile = 8_388_608
const maxModels = 5_000
const folder = 'package/dist/providers/data/'

/** Emits once and completes; fails with `bad_request` for anything that it cannot read. */
export function readPublished(tarball: Buffer): Observable<PublishedCatalogue> {
  const unpack$ = bindNodeCallback(gunzip) as (data: Buffer, options: object) => Observable<Buffer>
  return unpack$(tarball, { maxOutputLength: maxUnpacked }).pipe(
    mergeMap((archive) => from(dataFiles(archive))),
    map(readCatalogue),
    catchError((error: unknown) => throwError(() => (error instanceof Failure ? error : unreadable(error)))),
  )
}

function unreadable(error: unknown): Failure {
  return updateFailure('shape', `The package cannot be unpacked: ${describeThrown(error)}`, error)
}

/** The text of each data file, by the package's name of its provider. */
async function dataFiles(archive: Buffer): Promise<ReadonlyMap<string, string>> {
  const { unpackTar } = await import('modern-tar')
  const isData = ({ name, size, type }: { readonly name: string; readonly size: number; readonly type?: string }) =>
    type === 'file' && size <= maxFile && name.startsWith(folder) && name.endsWith('.json')
  const entries = await unpackTar(archive, { filter: isData, strict: true })
  return new Map(
    entries.map(({ header, data }) => [
      header.name.slice(folder.length, -'.json'.length),
      Buffer.from(data ?? []).toString('utf8'),
    ]),
  )
}

function readCatalogue(files: ReadonlyMap<string, string>): PublishedCatalogue {
  const found = Object.entries(publishedProviders).map(([provider, theirs]) => {
    const text = files.get(theirs)
    const models = text === undefined ? [] : readModels(theirs, text)
    return { provider, ...publishedRows(provider, models) }
  })
  const listed = found.filter(({ rows }) => rows.length > 0)
  if (listed.length === 0)
    throw updateFailure('shape', `The package has no models in ${folder}; a newer rxpi may know its form`)
  return {
    rows: Object.fromEntries(listed.map(({ provider, rows }) => [provider, rows])),
    models: listed.reduce((sum, { rows }) => sum + rows.length, 0),
    missing: found.filter(({ rows }) => rows.length === 0).map(({ provider }) => provider),
    leftOut: found.flatMap(({ provider, otherApi }) => otherApi.map(({ id }) => `${provider}/${id}`)),
  }
}

/** The models with a chat; others may have fields of their own. */
function readModels(provider: string, text: string): readonly PublishedModel[] {
  const groups = recordOf(parse(provider, text), `${provider}.json`)
  const all = Object.entries(groups).flatMap(([group, models]) =>
    Object.entries(recordOf(models, `${provider}.json: ${group}`)),
  )
  if (all.length > maxModels) throw updateFailure('shape', `${provider}.json has more than ${maxModels} models`)
  return all.filter(([, model]) => hasChat(model)).map(([key, model]) => checkModel(`${provider}.json: ${key}`, model))
}

function hasChat(model: unknown): boolean {
  return !isRecord(model) || model['type'] === undefined || model['type'] === 'chat'
}

function checkModel(path: string, model: unknown): PublishedModel {
  const checked = checkPublishedModel(model)
  if (checked.ok) return checked.value
  throw updateFailure('shape', `${path} has a form that this rxpi does not know: ${checked.problem}`)
}

function recordOf(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value
  throw updateFailure('shape', `${path} is no JSON object`)
}

function parse(provider: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw updateFailure('shape', `${provider}.json is no JSON: ${describeJsonFault(text)}`)
  }
}
