// Fetches newer data of the model catalogue into rxpi's state folder, or resets it.
// Guarantees: the file is replaced whole or not at all; no code of the package runs; nothing is left of a failure.
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { defer, finalize, map, of, switchMap } from 'rxjs'
import type { Observable } from 'rxjs'
import semver from 'semver'
import { ensurePrivateFolder } from '../../../host/files/private-files.ts'
import { replacePrivateFile } from '../../../host/files/replace-file.ts'
import {
  catalogueFile,
  catalogueText,
  maxCatalogueBytes,
  usedCatalogue,
} from '../../../providers/catalogue/catalogue-file.ts'
import type { UsedCatalogue } from '../../../streams/commands/model-commands.ts'
import type { ResultOf } from '../../../streams/commands/command.ts'
import { Failure } from '../../../streams/values/failure.ts'
import type { Fields } from '../../contract/server-backend.ts'
import { fetchTarball, findPublished } from './published-package.ts'
import type { NpmSurroundings, PublishedPackage } from './published-package.ts'
import { readPublished } from './read-published.ts'
import type { PublishedCatalogue } from './read-published.ts'
import { updateFailure } from './update-failure.ts'

type Update = ResultOf<'update_models'>

/** Emits once and completes; fails with `bad_request` or `storage`. @param home `$RXPI_HOME` */
export function updateModels(command: Fields<'update_models'>, home: string): Observable<Update> {
  return defer(() => {
    const { check = false, reset = false } = command
    if (check && reset) throw new Failure('bad_request', '"check" and "reset" exclude each other')
    return reset ? of(resetModels(home)) : withFolder(home, (folder) => update(command, home, folder))
  })
}

function resetModels(home: string): Update {
  const before = usedCatalogue(catalogueFile(home))
  rmSync(catalogueFile(home), { force: true })
  const source = usedCatalogue(catalogueFile(home))
  return { source, newer: false, changed: !isSame(before, source) }
}

function isSame(one: UsedCatalogue, other: UsedCatalogue): boolean {
  return one.version === other.version && one.problem === other.problem
}

function withFolder<Value>(home: string, work: (folder: string) => Observable<Value>): Observable<Value> {
  ensurePrivateFolder(home)
  const folder = mkdtempSync(path.join(home, '.models-'))
  return defer(() => work(folder)).pipe(
    finalize(() => {
      rmSync(folder, { recursive: true, force: true })
    }),
  )
}

function update(
  { cwd, env = {}, check = false }: Fields<'update_models'>,
  home: string,
  folder: string,
): Observable<Update> {
  const before = usedCatalogue(catalogueFile(home))
  const surroundings: NpmSurroundings = { folder, cwd, env }
  return findPublished(before.name, surroundings).pipe(
    switchMap((published) => {
      const { version, date } = published
      if (semver.lt(version, before.version)) throw older(before, published)
      const latest = { version, date }
      const newer = semver.gt(version, before.version)
      // a damaged file is fetched again, also without a newer version
      if (check || (!newer && before.problem === undefined))
        return of<Update>({ source: before, latest, newer, changed: false })
      return fetchTarball(published, surroundings).pipe(
        switchMap(readPublished),
        map((read): Update => {
          writeCatalogue(home, published, read)
          return { source: usedCatalogue(catalogueFile(home)), latest, newer, changed: true, ...countsOf(read) }
        }),
      )
    }),
  )
}

function older({ name, version, date }: UsedCatalogue, published: PublishedPackage): Failure {
  const had = `${published.version} of ${published.date}`
  return updateFailure('older', `The registry of npm has ${name} ${had}, older than ${version} of ${date}`)
}

function countsOf({ models, missing, leftOut }: PublishedCatalogue): Pick<Update, 'models' | 'unlisted' | 'leftOut'> {
  return {
    models,
    ...(missing.length === 0 ? {} : { unlisted: [...missing] }),
    ...(leftOut.length === 0 ? {} : { leftOut: [...leftOut] }),
  }
}

function writeCatalogue(home: string, published: PublishedPackage, { rows }: PublishedCatalogue): void {
  const { integrity, ...source } = published
  const text = catalogueText({ source: { ...source, at: Date.now() }, integrity }, rows)
  if (Buffer.byteLength(text) > maxCatalogueBytes)
    throw updateFailure('shape', `The models of the package take more than ${maxCatalogueBytes} bytes`)
  replacePrivateFile(catalogueFile(home), text)
}
