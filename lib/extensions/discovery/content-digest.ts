// Computes the digest of an extension, and of each of its files with those of its dependencies.
// Guarantees: bounded in files, bytes and depth; refuses links out of the folder, pipes and devices; reads each file
// once.
import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  opendirSync,
  readSync,
  readlinkSync,
  realpathSync,
} from 'node:fs'
import path from 'node:path'
import { filter, map, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { isInside } from '../../host/files/resolve-path.ts'
import { inSlices } from '../../host/process/run-in-slices.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'

/** Bounds of one extension with its dependencies. */
export const contentLimits = { files: 20_000, bytes: 268_435_456, depth: 40 } as const

/** Bytes that are read at a time. */
const pieceBytes = 262_144

/** A folder of git beside the files: no module is loaded from it, and each git command changes it. */
const unhashed = '.git'

/**
 * Emits the SHA-256 of a folder or a single file, hexadecimal, and completes. Cold; reads in slices of 8 ms, and an
 * unsubscribe ends the reading. Fails with `bad_request` that names the entry which cannot be trusted (`data.path`).
 * @param root a real path
 */
export function contentDigest(root: string, limits?: ContentLimits): Observable<string> {
  return hashContent(root, limits).pipe(map(({ digest }) => digest))
}

type ContentLimits = Readonly<Record<'files' | 'bytes' | 'depth', number>>

/**
 * SHA-256 in base64 by the path of each file, relative to the root with `/`; of a single file by the empty text. What is
 * loaded is compared with it.
 */
export type ContentFiles = ReadonlyMap<string, string>

export interface HashedContent {
  readonly digest: string
  readonly files: ContentFiles
}

/** As `contentDigest`, with the digests of the files, taken by the same reading. */
export function hashContent(root: string, limits: ContentLimits = contentLimits): Observable<HashedContent> {
  return inSlices(() =>
    hashRoot({ root, limits, hash: createHash('sha256'), files: 0, bytes: 0, found: new Map() }),
  ).pipe(
    filter((step) => step !== undefined),
    take(1),
  )
}

/**
 * True if `file` is part of the digest of `root`: nothing else may be loaded as the extension's code. Both are real
 * paths.
 */
export function isHashed(file: string, { root }: { readonly root: string }): boolean {
  return isInside(file, root) && !isInside(file, path.join(root, unhashed))
}

interface Walk {
  readonly root: string
  readonly limits: ContentLimits
  readonly hash: Hash
  readonly found: Map<string, string>
  files: number
  bytes: number
}

/** A pause, or the digest as the last step. */
type Steps = Generator<HashedContent | undefined, void>

function* hashRoot(walk: Walk): Steps {
  walk.hash.update('rxpi extension 1\n')
  const status = look(walk, '', () => lstatSync(walk.root))
  if (status.isDirectory()) yield* hashFolder(walk, '', 0)
  else yield* hashFile(walk, '')
  yield { digest: walk.hash.digest('hex'), files: walk.found }
}

/** @param name relative to the root, with `/`; empty for the root */
function* hashFolder(walk: Walk, name: string, depth: number): Steps {
  if (depth > walk.limits.depth)
    throw refusal(walk, name, `it has more than ${walk.limits.depth} folders in each other`)
  for (const { entry, kind } of yield* listFolder(walk, name)) {
    const child = name === '' ? entry : `${name}/${entry}`
    if (kind === 'folder') yield* hashFolder(walk, child, depth + 1)
    else if (kind === 'link') hashLink(walk, child)
    else yield* hashFile(walk, child)
  }
}

type Kind = 'folder' | 'link' | 'file'

/** The entries in the order of their names. */
function* listFolder(walk: Walk, name: string): Generator<undefined, { entry: string; kind: Kind }[]> {
  const folder = look(walk, name, () => opendirSync(path.join(walk.root, name)))
  const found: { entry: string; kind: Kind }[] = []
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      if (name === '' && entry.name === unhashed) continue
      if (found.length >= walk.limits.files) throw tooMany(walk, name)
      found.push({ entry: entry.name, kind: entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'file' })
      yield
    }
  } finally {
    folder.closeSync()
  }
  return found.toSorted((one, other) => (one.entry < other.entry ? -1 : 1))
}

/** The target has its own line, as it lies in the root. */
function hashLink(walk: Walk, name: string): void {
  count(walk, name)
  const file = path.join(walk.root, name)
  const target = look(walk, name, () => readlinkSync(file))
  const real = look(walk, name, () => realpathSync(file))
  if (!isHashed(real, walk)) throw refusal(walk, name, 'it leads out of the folder by a symbolic link')
  walk.hash.update(`link ${JSON.stringify(name)} ${JSON.stringify(target)}\n`)
}

function* hashFile(walk: Walk, name: string): Steps {
  count(walk, name)
  const content = createHash('sha256')
  const buffer = Buffer.allocUnsafe(pieceBytes)
  const descriptor = look(walk, name, () => openRegularFile(walk, name))
  try {
    for (;;) {
      const length = look(walk, name, () => readSync(descriptor, buffer, 0, buffer.length, null))
      if (length === 0) break
      walk.bytes += length
      if (walk.bytes > walk.limits.bytes)
        throw refusal(walk, name, `the files are larger than ${Math.round(walk.limits.bytes / 1_048_576)} MiB`)
      content.update(buffer.subarray(0, length))
      yield
    }
  } finally {
    closeSync(descriptor)
  }
  const digest = content.digest()
  walk.found.set(name, digest.toString('base64'))
  walk.hash.update(`file ${JSON.stringify(name)} ${digest.toString('hex')}\n`)
}

/** Opens without following a link and without waiting for a writer: the entry may have been replaced meanwhile. */
function openRegularFile(walk: Walk, name: string): number {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_NOCTTY } = constants
  const descriptor = openSync(path.join(walk.root, name), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY)
  if (fstatSync(descriptor).isFile()) return descriptor
  closeSync(descriptor)
  throw refusal(walk, name, 'it is a pipe, socket or device')
}

function count(walk: Walk, name: string): void {
  if (++walk.files > walk.limits.files) throw tooMany(walk, name)
}

function look<Value>(walk: Walk, name: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw error instanceof Failure ? error : refusal(walk, name, describeThrown(error))
  }
}

function tooMany(walk: Walk, name: string): Failure {
  return refusal(walk, name, `there are more than ${walk.limits.files} files`)
}

function refusal({ root }: Walk, name: string, reason: string): Failure {
  const file = path.join(root, name)
  return new Failure('bad_request', `The extension ${root} cannot be loaded because of ${name || 'it'}: ${reason}`, {
    data: { path: file },
  })
}
