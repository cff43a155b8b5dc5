// Decides whether an instruction file may be read (docs/design/security.md#S22).
import { statSync } from 'node:fs'
import path from 'node:path'
import { isInside } from '../../host/files/resolve-path.ts'

export type InstructionGuard =
  /** The user's configuration folder. */
  | { readonly kind: 'user' }
  /** Above the repository: only the user and root may be able to write it. */
  | { readonly kind: 'above' }
  /** Inside the workspace; `root` is a real path. */
  | { readonly kind: 'inside'; readonly root: string }

/** Why the file may not be read; undefined if it may. @param real its real path */
export function refusalOf(file: string, real: string, guard: InstructionGuard): string | undefined {
  switch (guard.kind) {
    case 'user':
      return undefined
    case 'inside':
      if (!isInside(real, guard.root)) return `leads out of the workspace ${guard.root}`
      return isPrivate(path.relative(guard.root, real)) ? 'leads to a hidden file' : undefined
    case 'above':
      return foreignPart([real, path.dirname(real), path.dirname(file)])
  }
}

/** Hidden files hold keys; git's own files hold addresses with them. */
function isPrivate(name: string): boolean {
  return path.basename(name).startsWith('.') || name.split(path.sep).includes('.git')
}

function foreignPart(paths: readonly string[]): string | undefined {
  for (const each of paths) {
    const reason = foreignReason(statSync(each), process.geteuid?.())
    if (reason !== undefined) return `${each} ${reason}, and it stands above the repository`
  }
  return undefined
}

/**
 * Why a file or folder with this owner and mode is not the user's alone.
 * @param user undefined: the system has no users
 */
export function foreignReason(
  { uid, mode }: { readonly uid: number; readonly mode: number },
  user: number | undefined,
): string | undefined {
  if (user === undefined) return undefined
  if (uid !== user && uid !== 0) return 'belongs to another user'
  return (mode & 0o022) === 0 ? undefined : `can be written by others (mode ${(mode & 0o777).toString(8)})`
}
