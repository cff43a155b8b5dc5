// Decides whether a path with `*` in a command may name a credential or another protected file.
import path from 'node:path'
import picomatch from 'picomatch'
import { credentialPaths, instructionFolders } from '../../host/sandbox/protected-paths.ts'
import type { ProtectedSurroundings } from '../../host/sandbox/protected-paths.ts'

interface PatternSurroundings extends ProtectedSurroundings {
  /** Absolute; the session's folder. */
  readonly workspace: string
}

/** @param pattern absolute, with `*` for any characters of a name */
export function mayNameProtected(
  pattern: string,
  access: 'read' | 'write',
  surroundings: PatternSurroundings,
): boolean {
  return mayMatch(pattern, protectedNames(access, surroundings))
}

/** Beyond it a regular expression could take long for a long folder: the pattern counts as a match. */
const maxStars = 4

/** Denied names: credentials, and for changes also files that decide which programs run. */
function protectedNames(
  access: 'read' | 'write',
  { workspace, homeFolder, rxpiFolders, gitPaths = [], linkedCredentials = [] }: PatternSurroundings,
): readonly string[] {
  const credentials = [...credentialPaths(homeFolder), ...linkedCredentials]
  if (access === 'read') return credentials
  const names = ['.git', '.git/hooks', '.git/config', '.rxpi', '.vscode', '.envrc', ...instructionFolders].map((name) =>
    path.join(workspace, name),
  )
  return [...names, ...rxpiFolders, ...gitPaths, ...credentials]
}

/** True if the pattern may name one of these, or something inside. `*` is not a hidden name, as in the shell. */
function mayMatch(pattern: string, names: readonly string[]): boolean {
  const joined = pattern.replaceAll(/\*+/g, '*')
  if (joined.split('*').length - 1 > maxStars) return true
  const parts = joined.split('/')
  const folder = joined.slice(0, joined.lastIndexOf('/', joined.indexOf('*')) + 1)
  const near = names.filter((name) => name.startsWith(folder))
  if (near.length === 0) return false
  const first = parts.findIndex((part) => part.includes('*'))
  return parts.slice(first).some((_, index) => {
    const prefix = parts.slice(0, first + index + 1).join('/')
    // The shell never makes a hidden name of a part that begins with its star.
    const literal = prefix.replace(/[\\?{}()[\]!+@|$^]/g, String.raw`\$&`)
    const isMatch = picomatch(literal, { noextglob: true, nonegate: true, flags: 's' })
    return near.some((name) => isMatch(name))
  })
}
