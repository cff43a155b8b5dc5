// Represents file names as bytes, one UTF-16 unit a byte.
// Guarantees: no name is lost, and no two names become equal.
import { isUtf8 } from 'node:buffer'

/** A path below a folder, one unit (0 to 255) a byte, parts joined by `/`. */
export type ByteName = string

/** The bytes of a name, below `folder` if it is set. */
export function nameBytes(name: ByteName, folder?: string): Buffer {
  const bytes = Buffer.from(name, 'latin1')
  return folder === undefined ? bytes : Buffer.concat([Buffer.from(folder === '/' ? '/' : `${folder}/`), bytes])
}

/** The names in a list that are each terminated by NUL. */
export function readNames(list: Buffer): ByteName[] {
  return list.toString('latin1').split('\0').slice(0, -1)
}

/** A name for people; if it is no UTF-8 or has control characters, quoted with escapes as git writes it. */
export function shownName(name: ByteName): string {
  const bytes = nameBytes(name)
  return isUtf8(bytes) && !/[\x00-\x1f\x7f]/.test(name) ? bytes.toString('utf8') : quotedName(name)
}

/** Quoted, with octal escapes for everything but plain ASCII, as git reads any name. */
export function quotedName(name: ByteName): string {
  const escaped = name.replace(
    /["\\]|[^\x20-\x7e]/g,
    (unit) => `\\${unit === '"' || unit === '\\' ? unit : unit.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
  return `"${escaped}"`
}

/** The folder of a name; '' for the top. */
export function parentOf(name: ByteName): ByteName {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')))
}
