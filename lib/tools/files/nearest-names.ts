// Who asks for a file that is not there is told where the path breaks off and which names there look like the one that was meant.
import { opendirSync, statSync } from 'node:fs'
import path from 'node:path'
import { similarityTo } from './similarity-to.ts'

/** Entries of a folder that are looked at, at most. */
const maxEntries = 5000
const maxNames = 3
/** Below this, a name has nothing to do with the one that was meant. */
const alike = 0.4

/** A sentence or two about a missing absolute path; it ends without a full stop. */
export function describeMissing(file: string): string {
  const { folder, missing } = breakOff(file)
  const isLast = path.join(folder, missing) === file
  const what = isLast ? `${file} is not there` : `${file} is not there: ${folder} has no ${missing}`
  const names = nearestNames(folder, missing)
  return names.length === 0 ? what : `${what}. Near it: ${names.map((name) => path.join(folder, name)).join(', ')}`
}

function breakOff(file: string): { folder: string; missing: string } {
  const folder = path.dirname(file)
  if (folder === file || isFolder(folder)) return { folder, missing: path.basename(file) }
  return breakOff(folder)
}

function isFolder(folder: string): boolean {
  try {
    return statSync(folder).isDirectory()
  } catch {
    return false // not there, or not ours to enter
  }
}

function nearestNames(folder: string, missing: string): readonly string[] {
  const likeness = similarityTo(missing)
  const stem = path.parse(missing).name.toLowerCase()
  return entriesOf(folder)
    .map((name) => ({ name, score: path.parse(name).name.toLowerCase() === stem ? 1 : likeness(name) }))
    .filter(({ score }) => score >= alike)
    .sort((one, other) => other.score - one.score || (one.name < other.name ? -1 : 1))
    .slice(0, maxNames)
    .map(({ name }) => name)
}

function entriesOf(folder: string): readonly string[] {
  const names: string[] = []
  try {
    const entries = opendirSync(folder)
    try {
      for (let entry = entries.readSync(); entry !== null && names.length < maxEntries; entry = entries.readSync()) {
        names.push(entry.name)
      }
    } finally {
      entries.closeSync()
    }
  } catch {
    return [] // a folder that may not be read has no names to tell
  }
  return names
}
