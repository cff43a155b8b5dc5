// Compares the files with a snapshot, with contents of small text files.
import { isUtf8 } from 'node:buffer'
import { Failure } from '../../streams/values/failure.ts'
import type { ComparedFile, ComparedFiles } from '../../streams/ports/snapshots.ts'
import { shownName } from './byte-name.ts'
import { contentsOf, diffTrees, notesOf, sizesOf } from './snapshot-content.ts'
import type { ContentSource, Difference } from './snapshot-content.ts'
import { attemptSnapshot, openWorkspace } from './take-snapshot.ts'
import type { SnapshotOptions } from './take-snapshot.ts'

/** Most files that are listed. */
const maxFiles = 1_000
/** Most bytes of one content, and of all. */
const maxFileBytes = 2 ** 20
const maxTotalBytes = 16 * 2 ** 20

/** See `Snapshots.compare`. @throws what `restoreFailure` converts */
export async function compareWithSnapshot(
  options: SnapshotOptions,
  { cwd, from }: { readonly cwd: string; readonly from: string },
  signal: AbortSignal,
): Promise<ComparedFiles> {
  const work = openWorkspace(options, cwd)
  const { taken, objects } = await attemptSnapshot(work, { before: from, lateAt: Infinity, signal })
  if (taken.type === 'skipped') throw new Failure('storage', `The files could not be read: ${taken.message}`)
  const then = await notesOf(work, from, signal)
  const source = { ...work, objects: [...new Set([...objects, ...then.objects])] }
  const found = await diffTrees(source, { from, to: taken.snapshot }, signal)
  const listed = found.toSorted((one, other) => (one.name < other.name ? -1 : 1)).slice(0, maxFiles)
  return { files: await withContents(source, listed, signal), more: found.length - listed.length }
}

async function withContents(
  source: ContentSource,
  found: readonly Difference[],
  signal: AbortSignal,
): Promise<ComparedFile[]> {
  const oids = [...new Set(found.flatMap(({ oid, otherOid }) => [oid, otherOid]))].filter((oid) => oid !== '')
  const sizes = oids.length === 0 ? new Map<string, number>() : await sizesOf(source, oids, signal)
  const wanted = withinBounds(oids, sizes)
  const contents = wanted.length === 0 ? new Map<string, Buffer>() : await contentsOf(source, wanted, signal)
  return found.map((difference) => compareFile(difference, sizes, contents))
}

/** As many contents as the limits allow. */
function withinBounds(oids: readonly string[], sizes: ReadonlyMap<string, number>): string[] {
  let left = maxTotalBytes
  return oids.filter((oid) => {
    const size = sizes.get(oid) ?? Infinity
    if (size > maxFileBytes || size > left) return false
    left -= size
    return true
  })
}

function compareFile(
  { name, oid, otherOid }: Difference,
  sizes: ReadonlyMap<string, number>,
  contents: ReadonlyMap<string, Buffer>,
): ComparedFile {
  const change = oid === '' ? 'removed' : otherOid === '' ? 'created' : 'modified'
  const path = shownName(name)
  const sides = { before: otherOid, after: oid }
  const texts: { before?: string; after?: string } = {}
  for (const [side, id] of Object.entries(sides)) {
    if (id === '') continue
    const bytes = contents.get(id)
    if (bytes === undefined) return { path, change, unread: unreadReason(sizes.get(id)) }
    if (!isText(bytes)) return { path, change, unread: 'it is not text' }
    texts[side as keyof typeof sides] = bytes.toString('utf8') // a key of `sides`
  }
  return { path, change, ...texts }
}

function unreadReason(size: number | undefined): string {
  if (size === undefined) return 'its content is gone from the repository'
  return size > maxFileBytes ? 'it is larger than 1 MiB' : 'too many files have changed to show all of them'
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0)
}
