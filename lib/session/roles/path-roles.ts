// Finds the roles of the setting `models.paths` for a session's folder and for files.
import { homedir } from 'node:os'
import path from 'node:path'
import { defer, from, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Glob } from '../../host/patterns/glob.ts'
import type { ModelSettings } from '../../streams/config/model-roles.ts'
import type { ScopedRoles } from './role-choice.ts'

export interface PathRoles {
  /** Those of the session's folder. */
  readonly folder: readonly ScopedRoles[]
  /** Those of a file besides. @param file absolute, or relative to the folder */
  ofFile(file: string): readonly ScopedRoles[]
}

const noPaths: PathRoles = { folder: [], ofFile: () => [] }

export interface PathRolesOptions {
  readonly models: ModelSettings | undefined
  /** The session's folder, absolute. */
  readonly cwd: string
  /** The folder of `~`. Default: the home folder of the process. */
  readonly homeFolder?: string | undefined
}

/** Emits once: in the call itself without `models.paths`, otherwise when the library of globs is loaded. */
export function pathRoles({ models, cwd, homeFolder = homedir() }: PathRolesOptions): Observable<PathRoles> {
  const entries = Object.entries(models?.paths ?? {})
  if (entries.length === 0) return of(noPaths)
  return defer(() => from(import('../../host/patterns/glob.ts'))).pipe(
    map(({ compileGlob }) => {
      const scopes = entries.map(([glob, roles]) => {
        const isAbsolute = /^[/~]/.test(glob)
        const whole = glob.replace(/^~(?=\/|$)/, () => homeFolder)
        const isOfFolders = isAbsolute || glob.startsWith('**/') || !glob.includes('/')
        // `/srv/**` is about the folder `/srv` too
        const ofFolder = compileGlob(whole.replace(/(?<=.)\/\*\*$/, ''), { hasBraces: true })
        const compiled = compileGlob(whole, { hasBraces: true })
        const here = cwd.replace(/^\/+/, '')
        const isHere = isOfFolders && here !== '' && (compiled.matches(here) || ofFolder.matches(here))
        return { glob, roles, isAbsolute, isHere, compiled }
      })
      return {
        folder: scopes.filter(({ isHere }) => isHere),
        ofFile: (file) => scopes.filter((scope) => matchesFile(scope, file, cwd)),
      }
    }),
  )
}

interface Scope extends ScopedRoles {
  readonly compiled: Glob
  readonly isAbsolute: boolean
}

/** A relative glob is about the path below the session's folder, and so is none for files outside of it. */
function matchesFile({ compiled, isAbsolute }: Scope, file: string, cwd: string): boolean {
  const absolute = path.resolve(cwd, file)
  const relative = path.relative(cwd, absolute)
  if (isAbsolute) return compiled.matches(absolute.slice(1))
  return relative !== '' && !relative.startsWith('..') && compiled.matches(relative)
}
