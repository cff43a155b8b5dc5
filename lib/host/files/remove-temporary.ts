// Removes a temporary folder in which other programs wrote.
import { chmodSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

/**
 * Removes the folder with all in it, also folders without the right to write, as package managers leave them. It never
 * throws, so that a teardown can call it: what belongs to another user stays for the cleaner of the system.
 * @param folder absolute; not a link
 */
export function removeTemporaryFolder(folder: string): void {
  try {
    remove(folder)
  } catch {
    try {
      makeWritable(folder)
      remove(folder)
    } catch {
      // stays, as the contract says
    }
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 2 })
}

function makeWritable(folder: string): void {
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) makeWritable(path.join(folder, entry.name))
}
