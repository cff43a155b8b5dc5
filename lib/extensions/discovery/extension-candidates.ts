// Lists the modules that may be extensions: in folders, installed packages and `--extension`.
// Guarantees: reads names and package.json only; runs nothing.
import { realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import { installedPackages, packageFolder, packageRoot } from '../packages/installed-packages.ts'
import { modulesIn, packageContents } from '../packages/package-contents.ts'
import type { ContentsOptions } from '../packages/package-contents.ts'
import type { ExtensionOrigin, ExtensionProblem, ExtensionSource } from './extension-source.ts'

export type Candidate = Pick<ExtensionSource, 'id' | 'name' | 'origin' | 'root' | 'entry'> & {
  /** Its package.json is written for pi. */
  readonly isPiPackage: boolean
}

export interface Candidates {
  readonly candidates: readonly Candidate[]
  readonly problems: readonly ExtensionProblem[]
}

export interface CandidateOptions {
  /** `$RXPI_HOME`. */
  readonly home: string
  /** The folder of `settings.json`. */
  readonly config: string
  /** A project that a person trusts, absolute. Default: none is read. */
  readonly project?: string | undefined
  /** Files and folders that a person named, absolute. Default: none. */
  readonly paths?: readonly string[] | undefined
}

/** Extensions that a session can have. */
const maxExtensions = 500

/** In the order of precedence; a module that is found twice counts once. */
export function extensionCandidates({ home, config, project, paths = [] }: CandidateOptions): Candidates {
  const lists = [
    inFolder(path.join(config, 'extensions'), 'user'),
    ...(project === undefined ? [] : [inFolder(path.join(project, '.rxpi/extensions'), 'project')]),
    inPackages(home),
    ...paths.map((file) => atPath(file, 'path', true)),
  ]
  const problems = lists.flatMap((each) => each.problems)
  const unique = new Map<string, Candidate>()
  for (const candidate of lists.flatMap((each) => each.candidates))
    if (!unique.has(candidate.entry)) unique.set(candidate.entry, candidate)
  if (unique.size > maxExtensions)
    problems.push({ path: config, message: `there are more than ${maxExtensions} extensions; the others are left out` })
  return { candidates: [...unique.values()].slice(0, maxExtensions), problems }
}

function inFolder(folder: string, origin: ExtensionOrigin): Candidates {
  try {
    return joined(modulesIn(folder).map((file) => atPath(file, origin, false)))
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? none : problem(folder, describeThrown(error))
  }
}

/** A single file, or a folder with one extension or several. */
function atPath(file: string, origin: ExtensionOrigin, isNamed: boolean): Candidates {
  try {
    const root = realpathSync(file)
    const name = path.basename(file)
    if (!statSync(root).isDirectory())
      return { candidates: [{ ...identify(origin, root, root, stem(name)), isPiPackage: false }], problems: [] }
    const usual = isNamed ? 'package' : 'folder'
    const found = inPackage({ origin, root, folder: root, name, usual })
    const index = isNamed && isEmpty(found) ? inPackage({ origin, root, folder: root, name, usual: 'folder' }) : found
    return isEmpty(index) ? problem(file, noModules) : index
  } catch (error) {
    return problem(file, describeThrown(error))
  }
}

const noModules = 'it has no index.ts or index.js, and no package.json that names extensions (rxpi.extensions)'

function inPackages(home: string): Candidates {
  try {
    return joined(
      installedPackages(home).map((each) => {
        const root = packageRoot(home, each)
        try {
          const real = realpathSync(root)
          const folder = realpathSync(packageFolder(home, each))
          return inPackage({ origin: 'package', root: real, folder, name: each.name, usual: 'package' })
        } catch (error) {
          return problem(root, `the package ${each.name} is damaged (${describeThrown(error)}); install it again`)
        }
      }),
    )
  } catch (error) {
    return problem(home, describeThrown(error))
  }
}

interface FoundPackage extends Required<ContentsOptions> {
  readonly origin: ExtensionOrigin
  readonly folder: string
  /** The name if its package.json has none. */
  readonly name: string
}

function inPackage({ origin, root, folder, name, usual }: FoundPackage): Candidates {
  const { found, isPi, name: own = name, problems } = packageContents(folder, { root, usual })
  const isSingle = found.extensions.length === 1
  const candidates = found.extensions.map((entry) => {
    const part = stem(path.relative(folder, entry))
      .replace(/^extensions\//, '')
      .replace(/\/index$/, '')
    return { ...identify(origin, root, entry, isSingle ? own : `${own}/${part}`, isSingle), isPiPackage: isPi }
  })
  return { candidates, problems }
}

function identify(origin: ExtensionOrigin, root: string, entry: string, name: string, isSingle = true) {
  const id = `${origin}:${root}${isSingle ? '' : `#${path.relative(root, entry)}`}`
  return { id, name, origin, root, entry }
}

function stem(name: string): string {
  return name.replace(/\.[^./]+$/, '')
}

const none: Candidates = { candidates: [], problems: [] }

function isEmpty({ candidates, problems }: Candidates): boolean {
  return candidates.length === 0 && problems.length === 0
}

function problem(file: string, message: string): Candidates {
  return { candidates: [], problems: [{ path: file, message }] }
}

function joined(lists: readonly Candidates[]): Candidates {
  return {
    candidates: lists.flatMap((each) => each.candidates),
    problems: lists.flatMap((each) => each.problems),
  }
}
