// Names the folder that holds the sessions of a working folder.
// A hash separates `/a-b` from `/a/b`; the name is for people.
import { createHash } from 'node:crypto'
import { readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'

/**
 * `<cwd's base name, made safe>-<16 hex digits of the SHA-256 of its real path>`; a removed folder counts by its former
 * path.
 */
export function sessionFolder(cwd: string): string {
  const real = realPath(cwd)
  const name = path
    .basename(real)
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^\.+/, '')
    .slice(0, 40)
  return `${name === '' ? 'root' : name}-${createHash('sha256').update(real).digest('hex').slice(0, 16)}`
}

function realPath(cwd: string): string {
  try {
    return realpathSync.native(cwd)
  } catch {
    return path.resolve(cwd) // the folder may be gone while its sessions are still wanted
  }
}

/** The names in a folder; none if it does not exist. @throws Failure `storage` */
export function fileNamesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return []
    throw storageFailure(`read the folder ${folder}`, thrown)
  }
}
