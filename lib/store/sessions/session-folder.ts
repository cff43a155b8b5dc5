// Sessions lie by the folder they work in; the hash keeps `/a-b` apart from `/a/b`, the name is only for people.
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import path from 'node:path'

/** `<cwd's base name, made safe>-<16 hex digits of the SHA-256 of its real path>`; a folder that is gone counts by the path it had. */
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
    return path.resolve(cwd) // it may have been removed, and its sessions are still wanted
  }
}
