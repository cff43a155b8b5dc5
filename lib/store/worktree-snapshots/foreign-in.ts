// A folder is only removed when nothing is left in it that somebody may want.
import { readdirSync } from 'node:fs'
import type { ByteName } from './byte-name.ts'
import { placeOf } from './look-at-files.ts'

/** The first file below the folder `name` that is not among those to be removed; undefined where there is none. */
export function foreignIn(folder: string, name: ByteName, removed: ReadonlySet<ByteName>): ByteName | undefined {
  for (const entry of readdirSync(placeOf(folder, name), { withFileTypes: true, encoding: 'buffer' })) {
    const inside = `${name}/${entry.name.toString('latin1')}`
    const foreign = entry.isDirectory() ? foreignIn(folder, inside, removed) : inside
    if (foreign !== undefined && !removed.has(foreign)) return foreign
  }
  return undefined
}
