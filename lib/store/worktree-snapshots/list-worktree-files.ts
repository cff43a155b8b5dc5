// Lists the files that git sees in a folder: tracked, or neither tracked nor ignored.
// Includes nested repositories.
import { isUtf8 } from 'node:buffer'
import path from 'node:path'
import type { Environment } from '../../host/files/paths.ts'
import { nameBytes, readNames } from './byte-name.ts'
import type { ByteName } from './byte-name.ts'
import { queryCall, queryFolderCall } from './git-calls.ts'
import { GitFailure, runGit } from './run-git.ts'
import { isInRepository } from '../../host/files/repository-root.ts'

export interface ListOptions {
  /** Absolute path of git. */
  readonly program: string
  /** Absolute real path. */
  readonly folder: string
  /** The client's environment. */
  readonly env: Environment
  /** Replaces the repository if the folder is in none. */
  readonly gitDir: string
  readonly signal: AbortSignal
}

/** The files of one repository or plain folder. */
export interface Listing {
  /** Each once; a nested repository or a submodule by its folder's name. */
  readonly names: readonly ByteName[]
  /** Folders end with `/` and stand for all of their content. */
  readonly ignored: readonly ByteName[]
  /** Its object folder, if rxpi can read it. */
  readonly objects: readonly string[]
}

/** The limit: a run does not wait for a copy of everything. */
export const maxFiles = 50_000

/** There are more than `maxFiles`. */
export class TooManyFiles extends Error {
  override readonly name = 'TooManyFiles'
}

/**
 * Lists the content of a folder below `options.folder` ('' for itself, else ending with `/`), names relative to it.
 * @throws GitFailure if git refuses the repository, TooManyFiles
 */
export async function listFiles(options: ListOptions, below: ByteName = ''): Promise<Listing> {
  const folder = path.join(options.folder, nameBytes(below).toString('utf8'))
  if (!isUtf8(nameBytes(below))) throw new GitFailure('its name is not UTF-8')
  const inRepository = below !== '' || isInRepository(folder)
  const queryGit = (args: readonly string[]): Promise<Buffer> => {
    const call = inRepository
      ? queryCall(args, options.env)
      : queryFolderCall(args, options.env, options.gitDir, folder)
    const { program, signal } = options
    return runGit({ program, ...call, cwd: folder, signal, onOutput: limitNames() })
  }
  const others = ['ls-files', '-z', '--others', '--exclude-standard']
  const [names, ignored, objects] = await Promise.all([
    queryGit(inRepository ? [...others, '--cached'] : others),
    queryGit([...others, '--ignored', '--directory']),
    inRepository
      ? queryGit(['rev-parse', '--path-format=absolute', '--show-object-format', '--git-path', 'objects'])
      : '',
  ])
  const inside = (list: Buffer): ByteName[] => readNames(list).map((name) => below + name)
  return { names: [...new Set(inside(names))], ignored: inside(ignored), objects: readable(objects.toString('utf8')) }
}

/** Ends the call as soon as it lists too many names. */
function limitNames(): (piece: Buffer) => void {
  let names = 0
  return (piece) => {
    for (const byte of piece) if (byte === 0) names += 1
    if (names > maxFiles) throw new TooManyFiles()
  }
}

/** Objects named by SHA-256 need another kind of store. */
function readable(answer: string): string[] {
  const [format, ...folder] = answer.trimEnd().split('\n')
  return format === 'sha1' && folder.length > 0 ? [folder.join('\n')] : []
}
