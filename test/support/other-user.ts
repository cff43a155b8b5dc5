// Tells whether a test can act as an ordinary user.
import { statSync } from 'node:fs'
import path from 'node:path'

/**
 * Why it cannot; undefined if it can. Only root becomes another user, who then runs the Node and the sources of this clone:
 * each folder above them has to let everybody pass.
 */
export function otherUserProblem(): string | undefined {
  if (process.geteuid?.() !== 0) return 'only root becomes another user'
  const closed = [process.cwd(), path.dirname(process.execPath)]
    .flatMap(withParents)
    .find((folder) => (statSync(folder).mode & 0o001) === 0)
  return closed === undefined ? undefined : `an ordinary user cannot enter ${closed}`
}

function withParents(folder: string): readonly string[] {
  const parent = path.dirname(folder)
  return parent === folder ? [folder] : [folder, ...withParents(parent)]
}
