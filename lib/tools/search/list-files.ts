// Lists the files of a folder by ripgrep, except those that .gitignore files name.
// Limits their number and the time.
import { defer, from, mergeMap, of, reduce, takeWhile, throwError, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { spawnProcess } from '../../host/process/spawn-process.ts'
import { Failure } from '../../streams/values/failure.ts'
import { failIfDied, ripgrepStart } from './start-ripgrep.ts'

export interface ListFilesOptions {
  /** Absolute. */
  readonly cwd: string
  /** Location of the user's own ignore rules (`HOME`, `XDG_CONFIG_HOME`); no other variable is passed on. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Default 100,000. */
  readonly maxFiles?: number
  /** Milliseconds. Default 5,000. */
  readonly limitMs?: number
  /** Absolute path of ripgrep. Default: that of its package. */
  readonly program?: string
}

export interface ListedFiles {
  /** Relative paths, `/` between names, unordered. Names that are no UTF-8 or have control characters are left out. */
  readonly files: readonly string[]
  /** False if the limit of number or time was reached. */
  readonly isComplete: boolean
}

/** Emits once and completes; unsubscribing ends ripgrep. Fails with `storage` if ripgrep is missing or fails. */
export function listFiles(options: ListFilesOptions): Observable<ListedFiles> {
  const { program } = options
  const program$ = defer(() => (program === undefined ? from(packagedProgram()) : of(program)))
  return program$.pipe(mergeMap((found) => runRipgrep(found, options)))
}

/** Loaded on first use: the import fails on a platform without ripgrep. */
async function packagedProgram(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath
  } catch (thrown) {
    throw new Failure(
      'storage',
      `Files cannot be listed: ripgrep is not installed for ${process.platform}-${process.arch}; reinstall rxpi with its optional packages`,
      { cause: thrown },
    )
  }
}

/**
 * Includes hidden files but git's own folder; ignores configuration (docs/design/security.md#S16); .gitignore applies
 * outside of git too.
 */
const args = [
  '--files',
  '--no-config',
  '--hidden',
  '--null',
  '--no-require-git',
  '--no-messages',
  '--threads=2',
  '--glob=!.git',
]

interface Listing {
  readonly files: string[]
  /** The incomplete last name. */
  readonly rest: string
  readonly errors: string
  readonly exitCode?: number | null
  readonly isComplete: boolean
}

function runRipgrep(
  program: string,
  { cwd, env, maxFiles = 100_000, limitMs = 5_000 }: ListFilesOptions,
): Observable<ListedFiles> {
  const { HOME, XDG_CONFIG_HOME } = env
  const own = { ...(HOME && { HOME }), ...(XDG_CONFIG_HOME && { XDG_CONFIG_HOME }) }
  let listing: Listing = { files: [], rest: '', errors: '', isComplete: true }
  return spawnProcess({ ...ripgrepStart(program, args), cwd, env: own, endWhen$: timer(limitMs) }).pipe(
    failIfDied(),
    takeWhile((event) => event.type !== 'output' || listing.files.length < maxFiles, true),
    reduce((before, event): Listing => {
      if (event.type === 'end') {
        return (listing = { ...before, exitCode: event.exitCode, isComplete: !event.cutShort })
      }
      if (event.stream === 'stderr')
        return (listing = { ...before, errors: (before.errors + event.text).slice(0, 500) })
      return (listing = withNames(before, event.text, maxFiles))
    }, listing),
    mergeMap(({ files, isComplete, exitCode = 0, errors }) =>
      exitCode === 2 && files.length === 0 ? throwError(() => listFailure(cwd, errors)) : of({ files, isComplete }),
    ),
  )
}

/** Appends in place: a listing is long. */
function withNames({ files, rest, ...listing }: Listing, text: string, maxFiles: number): Listing {
  const names = `${rest}${text}`.split('\0')
  const next = names.pop() ?? ''
  for (const name of names) if (isPlain(name) && files.length < maxFiles) files.push(name)
  return { ...listing, files, rest: next, isComplete: files.length < maxFiles }
}

function isPlain(name: string): boolean {
  return name !== '' && !/[\p{Cc}\u{FFFD}]/u.test(name)
}

function listFailure(cwd: string, errors: string): Failure {
  return new Failure('storage', `Could not list the files of ${cwd}: ${errors.trim() || 'ripgrep failed'}`)
}
