// Digests source files by their bytes: a product is fresh if the digest is equal.
// It reads no clock.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * 16 hex digits over the names and bytes of all files under `sources` (files or folders, relative to `root`).
 * A source that does not exist counts as such; generated files are products, not sources.
 */
export function sourceDigest(root: string, sources: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesOf(root, source))) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}

function filesOf(root: string, source: string): string[] {
  const status = statSync(path.join(root, source), { throwIfNoEntry: false })
  if (status === undefined) return []
  if (status.isFile()) return [source]
  return readdirSync(path.join(root, source), { withFileTypes: true })
    .filter((entry) => entry.isFile() || (entry.isDirectory() && entry.name !== 'generated'))
    .map((entry) => path.posix.join(source, entry.name))
    .sort()
    .flatMap((name) => filesOf(root, name))
}
