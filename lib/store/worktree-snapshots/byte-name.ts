// A file's name is bytes: inside it is held with one UTF-16 unit a byte, so that no name is lost or meets another.
import { isUtf8 } from 'node:buffer'

/** A path below a folder, one unit (0 to 255) a byte, parts joined by `/`. */
export type ByteName = string

/** The bytes of a name, below a folder where one is given. */
export function nameBytes(name: ByteName, folder?: string): Buffer {
  const bytes = Buffer.from(name, 'latin1')
  return folder === undefined ? bytes : Buffer.concat([Buffer.from(folder === '/' ? '/' : `${folder}/`), bytes])
}

/** The names in a list that ends each with NUL. */
export function readNames(list: Buffer): ByteName[] {
  return list.toString('latin1').split('\0').slice(0, -1)
}

/** A name as people read it; in quotes with escapes, as git writes it, where it is no UTF-8 or holds control characters. */
export function shownName(name: ByteName): string {
  const bytes = nameBytes(name)
  return isUtf8(bytes) && !/[\x00-\x1f\x7f]/.test(name) ? bytes.toString('utf8') : quotedName(name)
}

/** In quotes, everything but plain ASCII as octal escapes: what git reads as one name whatever it holds. */
export function quotedName(name: ByteName): string {
  const escaped = name.replace(
    /["\\]|[^\x20-\x7e]/g,
    (unit) => `\\${unit === '"' || unit === '\\' ? unit : unit.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
  return `"${escaped}"`
}

/** The folder that a name lies in; '' for the top. */
export function parentOf(name: ByteName): ByteName {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')))
}
