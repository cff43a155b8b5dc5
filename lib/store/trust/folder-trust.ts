// Decides whether a folder is trusted: its files, their digest, and the stored answer of a person.
// Guarantees: reads no file of an untrusted folder, and trusts exactly the content that a person confirmed.
import { homedir } from 'node:os'
import { defer, map } from 'rxjs'
import type { Observable } from 'rxjs'
import { isRepository } from '../../host/files/repository-root.ts'
import { isInside, realTarget } from '../../host/files/resolve-path.ts'
import type { StoredAnswer } from '../../streams/config/trust-file-schema.ts'
import { Failure } from '../../streams/values/failure.ts'
import { existingGatedPaths, readGatedFiles } from './gated-files.ts'
import type { GatedFiles } from './gated-files.ts'
import { storeAnswer, storedAnswer } from './trust-file.ts'
import path from 'node:path'

/**
 * `none`: there is nothing to trust. `changed`: the files are not those that a person trusted. `run`: trusted for this
 * session alone.
 */
export type TrustState = 'none' | 'untrusted' | 'changed' | 'never' | 'trusted' | 'run'

export interface FolderTrust {
  /** True if the project's own configuration counts. */
  readonly trusted: boolean
  readonly state: TrustState
  /** The project, a real path; the folder itself if it has none. */
  readonly folder: string
  /** The gated paths that exist, relative to `folder`. */
  readonly present: readonly string[]
  /** The trusted content of `.rxpi/settings.json`, `.rxpi/SYSTEM.md` and `.rxpi/APPEND_SYSTEM.md`, by that path. */
  readonly contents?: GatedFiles['contents']
  /** The digest of the trusted files. */
  readonly digest?: string
  /** Why the files cannot be trusted. */
  readonly problem?: string
}

export interface TrustQuestion {
  /** `$RXPI_HOME`, absolute. */
  readonly home: string
  /** The session's folder, absolute. */
  readonly cwd: string
  /** Trusts the present files for this session; a person's client alone can set it. Default false. */
  readonly forThisRun?: boolean
  /** Default: that of this user. */
  readonly homeFolder?: string
}

/**
 * @throws Failure `bad_config` for a bad `trust.json`; with `forThisRun`, `bad_request` for files that cannot be
 * trusted
 */
export function folderTrust({ home, cwd, forThisRun = false, homeFolder = homedir() }: TrustQuestion): FolderTrust {
  const { folder, present } = gatedPresence({ cwd, homeFolder })
  if (present.length === 0) return { trusted: false, state: 'none', folder, present }
  if (forThisRun) return { trusted: true, state: 'run', folder, present, ...contentOf(readGatedFiles(folder)) }
  const answer = holdsState(folder, home) ? undefined : storedAnswer(home, folder)
  if (answer === undefined) return { trusted: false, state: 'untrusted', folder, present }
  if (answer.answer === 'never') return { trusted: false, state: 'never', folder, present }
  return compare(answer, folder, present)
}

/** The project of a folder, and which gated paths it has. Reads no file. */
export function gatedPresence({
  cwd,
  homeFolder = homedir(),
}: Pick<TrustQuestion, 'cwd' | 'homeFolder'>): Pick<FolderTrust, 'folder' | 'present'> {
  const folder = projectFolder(cwd, homeFolder)
  return folder === undefined
    ? { folder: realTarget(cwd), present: [] }
    : { folder, present: existingGatedPaths(folder) }
}

function compare(
  { digest }: StoredAnswer & { readonly answer: 'trusted' },
  folder: string,
  present: readonly string[],
): FolderTrust {
  const files = tryToRead(folder)
  if (files instanceof Failure) return { trusted: false, state: 'changed', folder, present, problem: files.message }
  if (files.digest !== digest) return { trusted: false, state: 'changed', folder, present }
  return { trusted: true, state: 'trusted', folder, present, ...contentOf(files) }
}

function contentOf({ contents, digest }: GatedFiles): Pick<FolderTrust, 'contents' | 'digest'> {
  return { contents, digest }
}

/** True if the trusted files are still those of the opening: a later change waits for a person. */
export function isStillTrusted({
  trusted,
  folder,
  digest,
}: Pick<FolderTrust, 'trusted' | 'folder' | 'digest'>): boolean {
  if (!trusted) return false
  const files = tryToRead(folder)
  return !(files instanceof Failure) && files.digest === digest
}

/** The state with every file, for the question to the person. */
export interface TrustReport extends FolderTrust {
  readonly files: GatedFiles['files']
  /** Absent if the files cannot be trusted. */
  readonly digest?: string
}

/** Reads and hashes the files, whatever was answered. @throws Failure `bad_config` for a bad `trust.json` */
export function reportTrust(question: TrustQuestion): TrustReport {
  const trust = folderTrust(question)
  if (trust.state === 'none') return { ...trust, files: [] }
  const files = tryToRead(trust.folder)
  if (files instanceof Failure) return { ...trust, files: [], problem: files.message }
  return { ...trust, files: files.files, digest: files.digest, contents: files.contents }
}

/**
 * Stores a person's answer; `forget` removes it. `trust` names the digest that the person saw. Emits the new state once
 * and completes; fails with `bad_request` if the files are others by now or cannot be trusted, with `bad_config` or
 * `storage`.
 */
export function answerTrust(
  answer: 'trust' | 'never' | 'forget',
  digest: string | undefined,
  question: TrustQuestion,
): Observable<TrustReport> {
  return defer(() => {
    const { home, cwd, homeFolder = homedir() } = question
    const folder = projectFolder(cwd, homeFolder)
    if (folder === undefined)
      throw new Failure('bad_request', 'Your home folder and the folders above it are not projects and need no trust')
    if (holdsState(folder, home))
      throw new Failure('bad_request', `The folder cannot be trusted: rxpi's own state is inside it, in ${home}`)
    const stored = answer === 'forget' ? undefined : answerOf(answer, digest, folder)
    return storeAnswer(home, folder, stored).pipe(map(() => reportTrust(question)))
  })
}

function answerOf(answer: 'trust' | 'never', digest: string | undefined, folder: string): StoredAnswer {
  const at = Date.now()
  if (answer === 'never') return { answer, at }
  if (existingGatedPaths(folder).length === 0)
    throw new Failure('bad_request', `${folder} has no configuration of its own to trust`)
  const files = readGatedFiles(folder)
  if (digest === undefined) throw new Failure('bad_request', 'To trust a folder, name the digest of its files: digest')
  if (files.digest !== digest)
    throw new Failure('bad_request', `The files of ${folder} are not those that were shown; look at them again`)
  return { answer: 'trusted', digest, at }
}

/** The content of a repository decides nothing about its own trust (docs/design/security.md#S3). */
function holdsState(folder: string, home: string): boolean {
  return isInside(realTarget(home), folder)
}

function tryToRead(folder: string): GatedFiles | Failure {
  try {
    return readGatedFiles(folder)
  } catch (error) {
    return Failure.from(error)
  }
}

/**
 * The real path of the nearest folder with a `.git` that is not empty, from `cwd` upwards and below the home folder; without one `cwd`
 * itself. Undefined if that is the home folder or lies above it: the files there are the user's own.
 * @param cwd absolute, like `homeFolder`
 */
export function projectFolder(cwd: string, homeFolder: string): string | undefined {
  const [start, home] = [realTarget(cwd), realTarget(homeFolder)]
  if (isInside(home, start)) return undefined
  for (let folder = start; !isInside(home, folder); folder = path.dirname(folder)) {
    if (isRepository(folder)) return folder
    if (path.dirname(folder) === folder) break
  }
  return start
}
