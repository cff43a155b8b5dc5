// Lists the files and folders whose path begins with a text, for a word that is more than a path.
import { readdirSync } from 'node:fs'
import path from 'node:path'

/** So many entries of one folder. */
const limit = 200

/** Returns the paths as they are typed, a folder with `/` at its end; none if the folder cannot be read. */
export function listPaths(typed: string, kind: 'file' | 'folder'): string[] {
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1)
  const name = typed.slice(folder.length)
  return entriesOf(folder)
    .filter((entry) => entry.name.startsWith(name) && (name !== '' || !entry.name.startsWith('.')))
    .map((entry) => ({ path: folder + entry.name, isFolder: entry.isDirectory() }))
    .filter(({ isFolder }) => kind === 'file' || isFolder)
    .slice(0, limit)
    .map((entry) => (entry.isFolder ? `${entry.path}/` : entry.path))
}

function entriesOf(folder: string): { readonly name: string; isDirectory(): boolean }[] {
  try {
    return readdirSync(path.resolve(folder), { withFileTypes: true })
  } catch {
    return [] // the shell lists nothing for such a folder either
  }
}
