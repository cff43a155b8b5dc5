// Installs, lists, updates and removes packages of rxpi's state folder.
// Guarantees: a package is replaced whole or not at all; one process changes the list at a time; no script runs.
import { realpathSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { concatMap, defer, finalize, from, map, of, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { ensurePrivateFolder } from '../../host/files/private-files.ts'
import type { InstalledPackage } from '../../streams/config/packages-schema.ts'
import { Failure } from '../../streams/values/failure.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import { didYouMean } from '../../streams/values/nearest-name.ts'
import {
  installedPackages,
  packageFolder,
  packageRoot,
  packagesFile,
  packagesFolder,
  writePackages,
} from './installed-packages.ts'
import { npmInstall } from './npm-install.ts'
import { packageContents } from './package-contents.ts'
import type { PackageContents } from './package-contents.ts'
import { parsePackageSource } from './package-source.ts'
import type { PackageSource } from './package-source.ts'

export interface PackagesOptions {
  /** `$RXPI_HOME`. */
  readonly home: string
  /** Subscribes to `work()` while no other process changes `file`. */
  locked<Value>(file: string, work: () => Observable<Value>): Observable<Value>
}

export interface PackageSurroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** A package with what it brings. */
export type ListedPackage = InstalledPackage & { readonly path: string; readonly contents: PackageContents }

/** Emits the package when it is in place, and completes; fails with `bad_request` or `storage`. */
export function installPackage(
  text: string,
  surroundings: PackageSurroundings,
  options: PackagesOptions,
): Observable<ListedPackage> {
  return defer(() => {
    const source = parsePackageSource(text, surroundings.cwd)
    return whileChanging(options, () => installSource(source, surroundings, options.home))
  })
}

/** @throws Failure `bad_config` */
export function listPackages(home: string): readonly ListedPackage[] {
  return installedPackages(home).map((each) => describePackage(home, each))
}

/** Emits what was removed; fails with `bad_request` if there is no such package. */
export function removePackage(wanted: string, options: PackagesOptions): Observable<InstalledPackage> {
  const { home } = options
  return whileChanging(options, () => {
    const found = findPackage(home, wanted)
    writePackages(
      home,
      installedPackages(home).filter((each) => each !== found && each.key !== found.key),
    )
    if (found.link === undefined) rmSync(packageRoot(home, found), { recursive: true, force: true })
    return of(found)
  })
}

/** Installs anew what is not pinned: one package, or all. Emits them as they are now. */
export function updatePackages(
  wanted: string | undefined,
  surroundings: PackageSurroundings,
  options: PackagesOptions,
): Observable<readonly ListedPackage[]> {
  const { home } = options
  return whileChanging(options, () => {
    const chosen = wanted === undefined ? installedPackages(home) : [findPackage(home, wanted)]
    return from(chosen.filter(({ pinned, link }) => !pinned && link === undefined)).pipe(
      concatMap(({ source }) => installSource(parsePackageSource(source, surroundings.cwd), surroundings, home)),
      toArray(),
    )
  })
}

function whileChanging<Value>({ home, locked }: PackagesOptions, work: () => Observable<Value>): Observable<Value> {
  return defer(() => {
    ensurePrivateFolder(path.join(packagesFolder(home), 'installed'), home)
    return locked(packagesFile(home), work)
  })
}

function installSource(
  { source, pinned, spec, link }: PackageSource,
  { cwd, env }: PackageSurroundings,
  home: string,
): Observable<ListedPackage> {
  if (spec === undefined) return of(addLink(source, realpathSync(link ?? source), home))
  const folder = path.join(packagesFolder(home), 'installed', `.new-${randomIds().short()}`)
  return npmInstall({ spec, folder, cwd, env }).pipe(
    map(({ name, ...resolved }) => {
      const found: InstalledPackage = {
        ...{ source, name, ...resolved, pinned, at: Date.now() },
        ...{ key: name.replace('/', '+'), folder: `node_modules/${name}` },
      }
      const root = packageRoot(home, found)
      rmSync(root, { recursive: true, force: true })
      renameSync(folder, root)
      return addToList(home, found)
    }),
    finalize(() => {
      rmSync(folder, { recursive: true, force: true }) // nothing is left of a failure
    }),
  )
}

function addLink(source: string, link: string, home: string): ListedPackage {
  const { name = path.basename(link), packageName = name, version } = packageContents(link)
  const found: InstalledPackage = {
    ...{ source, link, name: packageName, pinned: false, at: Date.now(), folder: '.' },
    key: packageName.replaceAll(/[^A-Za-z0-9._@+-]/g, '+').slice(0, 200),
    ...(version === undefined ? {} : { version }),
  }
  return addToList(home, found)
}

function addToList(home: string, found: InstalledPackage): ListedPackage {
  const others = installedPackages(home).filter(({ key }) => key !== found.key)
  writePackages(home, [...others, found])
  return describePackage(home, found)
}

function describePackage(home: string, found: InstalledPackage): ListedPackage {
  const folder = packageFolder(home, found)
  return { ...found, path: folder, contents: packageContents(folder, { root: packageRoot(home, found) }) }
}

function findPackage(home: string, wanted: string): InstalledPackage {
  const packages = installedPackages(home)
  const found = packages.find(
    ({ name, source, link }) => [name, source, link].includes(wanted) || `npm:${name}` === wanted,
  )
  if (found !== undefined) return found
  const names = packages.map(({ name }) => name)
  const near =
    didYouMean(wanted, names) || (names.length === 0 ? '; none is installed' : `; there are ${names.join(', ')}`)
  throw new Failure('bad_request', `There is no package "${wanted}"${near}`)
}
