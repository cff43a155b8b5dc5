// What git counts as the folder's files: tracked ones and those that are neither tracked nor ignored, nested repositories too.
import { isUtf8 } from 'node:buffer'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from '../../host/files/paths.ts'
import { nameBytes, readNames } from './byte-name.ts'
import type { ByteName } from './byte-name.ts'
import { queryCall, queryFolderCall } from './git-calls.ts'
import { GitFailure, runGit } from './run-git.ts'

export interface ListOptions {
  /** Absolute path of git. */
  readonly program: string
  /** Absolute real path. */
  readonly folder: string
  /** Of the client. */
  readonly env: Environment
  /** Stands in for a repository where the folder is in none. */
  readonly gitDir: string
  readonly signal: AbortSignal
}

/** One repository's, or a plain folder's. */
export interface Listing {
  /** Each once; a nested repository or a submodule by its folder's name. */
  readonly names: readonly ByteName[]
  /** Folders end with `/` and stand for all that is in them. */
  readonly ignored: readonly ByteName[]
  /** Where its objects lie, where they can be read as ours are. */
  readonly objects: readonly string[]
}

/** More are not kept: a copy of everything is not what a run waits for. */
export const maxFiles = 50_000

/** There are more than `maxFiles`. */
export class TooManyFiles extends Error {
  override readonly name = 'TooManyFiles'
}

/**
 * Lists what is in a folder below `options.folder` ('' for itself, else ending with `/`), names counted from there.
 * @throws GitFailure where git refuses the repository, TooManyFiles
 */
export async function listFiles(options: ListOptions, below: ByteName = ''): Promise<Listing> {
  const folder = path.join(options.folder, nameBytes(below).toString('utf8'))
  if (!isUtf8(nameBytes(below))) throw new GitFailure('its name is no UTF-8')
  const inRepository = below !== '' || isInRepository(folder)
  const queryGit = (args: readonly string[]): Promise<Buffer> => {
    const call = inRepository
      ? queryCall(args, options.env)
      : queryFolderCall(args, options.env, options.gitDir, folder)
    const { program, signal } = options
    return runGit({ program, ...call, cwd: folder, signal, look: limitNames() })
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

/** Like git: a `.git` here or in a folder above. What git then says of it is another question. */
export function isInRepository(folder: string): boolean {
  if (existsSync(path.join(folder, '.git'))) return true
  const parent = path.dirname(folder)
  return parent !== folder && isInRepository(parent)
}

/** Ends the call that lists too much while it does. */
function limitNames(): (piece: Buffer) => void {
  let names = 0
  return (piece) => {
    for (const byte of piece) if (byte === 0) names += 1
    if (names > maxFiles) throw new TooManyFiles()
  }
}

/** Objects named by SHA-256 are another store's. */
function readable(answer: string): string[] {
  const [format, ...folder] = answer.trimEnd().split('\n')
  return format === 'sha1' && folder.length > 0 ? [folder.join('\n')] : []
}
