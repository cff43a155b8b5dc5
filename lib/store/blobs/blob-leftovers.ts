// What a process that died left among the blobs is put in order by the next one that writes a blob.
import { lstatSync, readdirSync, renameSync, unlinkSync } from 'node:fs'
import path from 'node:path'

/** Milliseconds after which nobody is at work with such a file any more. */
const abandonedMs = 60 * 60 * 1_000

/** Removes blobs that were never whole, and puts back those that were being removed: whether a log names them was not known. */
export function tidyBlobs(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, hash, what] = /^([0-9a-f]{64})\.[\d-]+\.(new|removed)$/.exec(name) ?? []
    if (hash === undefined) continue
    const file = path.join(folder, name)
    try {
      if (Date.now() - lstatSync(file).ctimeMs < abandonedMs) continue
      if (what === 'new') unlinkSync(file)
      else renameSync(file, path.join(folder, hash))
    } catch {
      // another process was first, or it stays: nothing depends on it
    }
  }
}
