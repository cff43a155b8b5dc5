// Resolves what a package brings: by its package.json, or by the usual names of folders.
// Guarantees: nothing outside the package's root; bounded in files; reads names and package.json only.
import { readdirSync, realpathSync, statSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import path from 'node:path'
import { isInside } from '../../host/files/resolve-path.ts'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { compileGlob } from '../../host/patterns/glob.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import { readPackageManifest, resourceKinds } from './package-manifest.ts'
import type { PackageManifest, ResourceKind } from './package-manifest.ts'

export interface PackageContents extends Pick<PackageManifest, 'name' | 'packageName' | 'version' | 'isPi'> {
  /** Real paths: modules of `extensions`; folders or files of the other kinds. */
  readonly found: Readonly<Record<ResourceKind, readonly string[]>>
  readonly problems: readonly { readonly path: string; readonly message: string }[]
}

export interface ContentsOptions {
  /** Real path: links may lead to any place inside. Default: `folder`. */
  readonly root?: string
  /**
   * Without declared extensions: `folder`, its index module; `package`, all modules of `extensions/`. Default
   * `package`.
   */
  readonly usual?: 'folder' | 'package'
}

/** Names of modules that are loaded. */
const moduleName = /^(?!\.)(?!.*\.d\.m?ts$).*\.(?:ts|mts|js|mjs)$/
const indexNames = ['index.ts', 'index.mts', 'index.js', 'index.mjs']
/** Files of a package that a pattern is compared with, and modules that it brings. */
const maxFiles = 10_000
const maxModules = 200

/** Never fails: what cannot be used is a problem. @param folder a real path */
export function packageContents(
  folder: string,
  { root = folder, usual = 'package' }: ContentsOptions = {},
): PackageContents {
  const problems: { path: string; message: string }[] = []
  const search = new Search(folder, root, (file, message) => problems.push({ path: file, message }))
  const manifest = search.attempt(folder, () => readPackageManifest(folder)) ?? nothing
  const found = Object.fromEntries(resourceKinds.map((kind) => [kind, search.resources(kind, manifest, usual)]))
  const { declared: _, ...rest } = manifest
  return { ...rest, found: found as PackageContents['found'], problems } // a value for each kind
}

const nothing: PackageManifest = { isPi: false, declared: {} }

/**
 * Modules of a folder of extensions: its modules, and the folders with an index module or a package.json that names
 * some.
 */
export function modulesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((one, other) =>
    one.name < other.name ? -1 : 1,
  )
  return entries.filter(isCandidate).map(({ name }) => path.join(folder, name))
}

function isCandidate(entry: Dirent): boolean {
  if (entry.name.startsWith('.') || entry.name === 'node_modules') return false
  return entry.isDirectory() || entry.isSymbolicLink() || moduleName.test(entry.name)
}

class Search {
  readonly #folder: string
  readonly #root: string
  readonly #report: (file: string, message: string) => void
  #listed: readonly string[] | undefined

  constructor(folder: string, root: string, report: (file: string, message: string) => void) {
    this.#folder = folder
    this.#root = root
    this.#report = report
  }

  attempt<Value>(file: string, work: () => Value): Value | undefined {
    try {
      return work()
    } catch (error) {
      this.#report(file, describeThrown(error))
      return undefined
    }
  }

  resources(kind: ResourceKind, { declared }: PackageManifest, usual: 'folder' | 'package'): readonly string[] {
    if (kind === 'extensions' && declared === undefined && usual === 'folder') return this.#indexOf(this.#folder)
    const isUsual = declared === undefined
    const patterns = declared?.[kind] ?? (isUsual ? [kind] : [])
    const excluded = patterns.filter((each) => /^[!-]/.test(each)).map((each) => compileGlob(each.slice(1)))
    const isExcluded = (file: string): boolean =>
      excluded.some((glob) => glob.matches(path.relative(this.#folder, file)))
    const included = patterns.filter((each) => !/^[!-]/.test(each)).map((each) => each.replace(/^\+/, ''))
    const chosen = (included.length === 0 && excluded.length > 0 ? [kind] : included).flatMap((pattern) =>
      this.#paths(pattern, isUsual || included.length === 0),
    )
    const resolved = chosen.flatMap((file) => this.#expand(kind, file, excluded.length > 0))
    return [...new Set(resolved.filter((file) => !isExcluded(file)))].slice(0, maxModules)
  }

  /** The real paths that a pattern names. */
  #paths(pattern: string, isUsual: boolean): readonly string[] {
    if (!/[*?[\]{}]/.test(pattern)) return this.#real(path.resolve(this.#folder, pattern), isUsual)
    const glob = compileGlob(pattern.includes('/') ? pattern : `./${pattern}`, { hasBraces: true })
    return this.#files()
      .filter((file) => glob.matches(file))
      .flatMap((file) => this.#real(path.join(this.#folder, file), false))
  }

  #real(file: string, mayMiss: boolean): readonly string[] {
    try {
      const real = realpathSync(file)
      if (isInside(real, this.#root)) return [real]
      this.#report(file, `it leads out of ${this.#root}`)
    } catch (error) {
      if (!mayMiss || errnoOf(error) !== 'ENOENT') this.#report(file, describeThrown(error))
    }
    return []
  }

  /** The modules behind a path; with exclusions, the entries of a folder instead of the folder. */
  #expand(kind: ResourceKind, file: string, isFiltered: boolean): readonly string[] {
    const isFolder = this.attempt(file, () => statSync(file).isDirectory()) === true
    if (kind === 'extensions')
      return isFolder ? this.#modules(file, 0) : moduleName.test(path.basename(file)) ? [file] : this.#noModule(file)
    if (!isFolder || !isFiltered) return [file]
    const names = this.attempt(file, () => readdirSync(file).toSorted()) ?? []
    return names.filter((name) => !name.startsWith('.')).flatMap((name) => this.#real(path.join(file, name), true))
  }

  #noModule(file: string): readonly string[] {
    this.#report(file, 'it is no module: its name ends with .ts, .mts, .js or .mjs')
    return []
  }

  /** A folder is one extension if it has an index module or names its own, or else a folder of extensions. */
  #modules(folder: string, depth: number): readonly string[] {
    const inner = folder === this.#folder ? undefined : this.attempt(folder, () => readPackageManifest(folder))
    if (inner?.declared?.extensions !== undefined)
      return inner.declared.extensions.flatMap((each) => this.#real(path.resolve(folder, each), false))
    const index = this.#indexOf(folder)
    if (index.length > 0 || depth > 1) return index
    const entries = this.attempt(folder, () => modulesIn(folder)) ?? []
    return entries.flatMap((entry) => {
      const real = this.#real(entry, true)
      return real.flatMap((file) =>
        statSync(file).isDirectory()
          ? this.#modules(file, depth + 1)
          : moduleName.test(path.basename(file))
            ? [file]
            : [],
      )
    })
  }

  #indexOf(folder: string): readonly string[] {
    const present = indexNames.find((name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.isFile())
    return present === undefined ? [] : this.#real(path.join(folder, present), false)
  }

  /** Relative paths of the package's own files, without those of its dependencies. */
  #files(): readonly string[] {
    if (this.#listed !== undefined) return this.#listed
    const found: string[] = []
    const visit = (folder: string, depth: number): void => {
      const entries = this.attempt(folder, () => readdirSync(path.join(this.#folder, folder), { withFileTypes: true }))
      for (const entry of entries ?? []) {
        if (found.length >= maxFiles) return
        if (entry.name === 'node_modules' || entry.name === '.git') continue
        const name = folder === '' ? entry.name : `${folder}/${entry.name}`
        found.push(name)
        if (entry.isDirectory() && depth < 10) visit(name, depth + 1)
      }
    }
    visit('', 0)
    return (this.#listed = found.toSorted())
  }
}
