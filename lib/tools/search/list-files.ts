// The files of a folder as its .gitignore files leave them, in git or not: names that ripgrep lists, bounded in number and time.
import { defer, from, mergeMap, of, reduce, takeWhile, throwError, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { spawnProcess } from '../../host/process/spawn-process.ts'
import { Failure } from '../../streams/values/failure.ts'

export interface ListFilesOptions {
  /** Absolute. */
  readonly cwd: string
  /** Where the user's own ignore rules are looked for (`HOME`, `XDG_CONFIG_HOME`); nothing else of it is passed on. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Default 100,000. */
  readonly mostFiles?: number
  /** Milliseconds. Default 5,000. */
  readonly limitMs?: number
  /** Absolute path of ripgrep. Default: that of its package. */
  readonly program?: string
}

export interface ListedFiles {
  /** Below the folder, `/` between names, in no order. Names that are no UTF-8 or have control characters are left out. */
  readonly files: readonly string[]
  /** False where the limit of number or time was reached. */
  readonly isComplete: boolean
}

/** Emits once and completes; unsubscribing ends ripgrep. Fails with `storage` where it is not there or cannot look. */
export function listFiles(options: ListFilesOptions): Observable<ListedFiles> {
  const { program } = options
  const program$ = defer(() => (program === undefined ? from(packagedProgram()) : of(program)))
  return program$.pipe(mergeMap((found) => runRipgrep(found, options)))
}

/** Loaded when it is first needed: importing it fails where the platform has no ripgrep. */
async function packagedProgram(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath
  } catch (thrown) {
    throw new Failure('storage', `Files cannot be listed: ripgrep is not installed for ${process.platform}-${process.arch}; reinstall rxpi with its optional packages`, { cause: thrown }) // prettier-ignore
  }
}

/** Hidden files too, but not git's own folder; without configuration (docs/design/security.md#S16), and by .gitignore outside of git too. */
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
  /** The name that is not whole yet. */
  readonly rest: string
  readonly errors: string
  readonly exitCode?: number | null
  readonly isComplete: boolean
}

function runRipgrep(
  program: string,
  { cwd, env, mostFiles = 100_000, limitMs = 5_000 }: ListFilesOptions,
): Observable<ListedFiles> {
  const { HOME, XDG_CONFIG_HOME } = env
  const own = { ...(HOME && { HOME }), ...(XDG_CONFIG_HOME && { XDG_CONFIG_HOME }) }
  let listing: Listing = { files: [], rest: '', errors: '', isComplete: true }
  return spawnProcess({ program, args, cwd, env: own, endWhen$: timer(limitMs) }).pipe(
    takeWhile((event) => event.type !== 'output' || listing.files.length < mostFiles, true),
    reduce((before, event): Listing => {
      if (event.type === 'end') {
        return (listing = { ...before, exitCode: event.exitCode, isComplete: !event.cutShort })
      }
      if (event.stream === 'stderr')
        return (listing = { ...before, errors: (before.errors + event.text).slice(0, 500) })
      return (listing = withNames(before, event.text, mostFiles))
    }, listing),
    mergeMap(({ files, isComplete, exitCode = 0, errors }) =>
      exitCode === 2 && files.length === 0 ? throwError(() => listFailure(cwd, errors)) : of({ files, isComplete }),
    ),
  )
}

/** Appends in place: a listing is long. */
function withNames({ files, rest, ...listing }: Listing, text: string, most: number): Listing {
  const names = `${rest}${text}`.split('\0')
  const next = names.pop() ?? ''
  for (const name of names) if (isPlain(name) && files.length < most) files.push(name)
  return { ...listing, files, rest: next, isComplete: files.length < most }
}

function isPlain(name: string): boolean {
  return name !== '' && !/[\p{Cc}\u{FFFD}]/u.test(name)
}

function listFailure(cwd: string, errors: string): Failure {
  return new Failure('storage', `Could not list the files of ${cwd}: ${errors.trim() || 'ripgrep failed'}`)
}
