// Stores the compiled code of one extension on the disk, so that the next process need not compile it.
// Guarantees: private to the user, bounded, best effort; a file of another compiler or a damaged one does not count.
import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { ensurePrivateFolder, readPrivateJson } from '../../host/files/private-files.ts'
import { replacePrivateFile } from '../../host/files/replace-file.ts'
import { isRecord } from '../../streams/values/json.ts'

/** Names what compiled the code: other code is compiled anew. Held to the package by a test. */
export const compilerVersion = 'jiti 2.7.0'

/** Bytes of one file, and extensions that have one: the oldest file makes room. */
const maxBytes = 64 * 1_048_576
export const maxFiles = 24

export interface CodeLocation {
  /** A folder of rxpi that no tool can write: what is in it runs. */
  readonly folder: string
  /** That of the content of the extension. */
  readonly digest: string
}

/** Code by the key of its source; empty if there is none. */
export function readCodes(location: CodeLocation): Map<string, string> {
  try {
    const stored = readPrivateJson(codeFile(location), maxBytes)
    if (!isRecord(stored) || stored['compiler'] !== compilerVersion || !isRecord(stored['codes'])) return new Map()
    const codes = Object.entries(stored['codes'])
    return new Map(codes.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return new Map() // it is compiled again, and the file replaced
  }
}

/** Without an effect if the disk refuses: the code is compiled again next time. */
export function writeCodes(location: CodeLocation, codes: ReadonlyMap<string, string>): void {
  try {
    const text = JSON.stringify({ compiler: compilerVersion, codes: Object.fromEntries(codes) })
    if (text.length > maxBytes) return
    ensurePrivateFolder(location.folder)
    replacePrivateFile(codeFile(location), text, { synced: false })
    removeOldest(location.folder)
  } catch {
    // a full or read-only disk costs time, nothing else
  }
}

function codeFile({ folder, digest }: CodeLocation): string {
  return path.join(folder, `${digest.replaceAll(/[^\w]/g, '_')}.json`)
}

function removeOldest(folder: string): void {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const byTime = files.map((name) => ({ name, time: statSync(path.join(folder, name)).mtimeMs }))
  const old = byTime.toSorted((one, other) => other.time - one.time).slice(maxFiles)
  for (const { name } of old) rmSync(path.join(folder, name), { force: true })
}
