// A path as a person or model writes it becomes an absolute one; nothing is looked up.
import { homedir } from 'node:os'
import path from 'node:path'

/** `~` and `~/…` are the user's home folder; what is relative is so to `cwd`. Other forms (`file:`, `~name`) are names like any other. */
export function resolvePath(given: string, cwd: string): string {
  if (given === '~' || given.startsWith('~/')) return path.join(homedir(), given.slice(1))
  return path.resolve(cwd, given)
}
