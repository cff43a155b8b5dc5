// Chooses the engine of grep and find: ripgrep, or plain Node if ripgrep is missing.
import { accessSync, constants } from 'node:fs'
import { catchError, defer, from, map, switchMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { findProgram } from '../../host/process/find-program.ts'
import type { SearchEngine } from './search-engine.ts'
import { hasRipgrepDied } from './start-ripgrep.ts'

export interface EngineSearch {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Emits the engine: the packaged ripgrep, one of PATH outside of the workspace, or Node. */
export function chooseEngine({ cwd, env }: EngineSearch): Observable<SearchEngine> {
  return defer(packagedRipgrep).pipe(
    map((packaged) => packaged ?? findProgram('rg', { searchPath: env['PATH'], workspace: cwd })),
    switchMap((program) => (program === undefined ? nodeEngine() : ripgrepEngine(program))),
  )
}

/** Runs a search by an engine, and again by plain Node if ripgrep dies on the way. */
export function searchWith<Value>(
  engine$: Observable<SearchEngine>,
  search: (engine: SearchEngine) => Observable<Value>,
): Observable<Value> {
  return engine$.pipe(
    switchMap(search),
    catchError((thrown: unknown) => {
      if (!hasRipgrepDied(thrown)) throw thrown
      return nodeEngine().pipe(switchMap(search))
    }),
  )
}

export function ripgrepEngine(program: string): Observable<SearchEngine> {
  return defer(() => from(import('./ripgrep-engine.ts'))).pipe(map((module) => module.createRipgrepEngine(program)))
}

export function nodeEngine(): Observable<SearchEngine> {
  return defer(() => from(import('./node-engine.ts'))).pipe(map((module) => module.createNodeEngine()))
}

/** Undefined if the package has no binary for this platform, or it cannot be run. */
function packagedRipgrep(): Observable<string | undefined> {
  return from(
    import('@vscode/ripgrep').then(
      ({ rgPath }) => (isExecutable(rgPath) ? rgPath : undefined),
      () => undefined, // no package for this platform: the caller looks elsewhere
    ),
  )
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false // missing, or not executable for this user
  }
}
