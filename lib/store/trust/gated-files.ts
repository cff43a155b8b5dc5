// Collects the files of a project that count only after a person trusted the folder, and their digest.
// Guarantees: bounded in files, bytes and depth; pipes, devices and links out of the project are refused, never read.
import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, opendirSync, readSync, realpathSync } from 'node:fs'
import type { Stats } from 'node:fs'
import path from 'node:path'
import { isInside } from '../../host/files/resolve-path.ts'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { instructionFolders } from '../../host/sandbox/protected-paths.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'

/** The file of the project's MCP servers, relative to the project: programs that a session starts. */
export const projectServersPath = '.mcp.json'

/** All that trust of a folder gates, relative to the project. */
export const gatedPaths = ['.rxpi', ...instructionFolders, projectServersPath] as const

/** Bounds of what can be trusted. */
export const gatedLimits = { files: 2_000, bytes: 16_777_216, depth: 16 } as const

export interface GatedFile {
  /** Relative to the project, with `/`. */
  readonly path: string
  /** Size of the content. */
  readonly bytes: number
  /** SHA-256 of the content, hexadecimal. */
  readonly digest: string
}

export interface GatedFiles {
  /** In the order of their paths. */
  readonly files: readonly GatedFile[]
  /** SHA-256 over all paths and contents, hexadecimal. */
  readonly digest: string
  /** The content of the `contentPaths` that exist, as it was hashed. */
  readonly contents: ReadonlyMap<string, Buffer>
}

/** The file of the project's settings, relative to the project. */
export const projectSettingsPath = '.rxpi/settings.json'

/** Small files that rxpi reads whole: what was hashed is what counts. */
const contentPaths: ReadonlySet<string> = new Set([
  projectSettingsPath,
  projectServersPath,
  '.rxpi/SYSTEM.md',
  '.rxpi/APPEND_SYSTEM.md',
])

/** The gated paths that exist and are not empty folders; reads no file. @param project a real path */
export function existingGatedPaths(project: string): readonly string[] {
  return gatedPaths.filter((name) => !isMissingOrEmpty(path.join(project, name)))
}

/**
 * Reads and hashes every gated file.
 * @param project a real path
 * @throws Failure `bad_request` that names the entry which cannot be trusted
 */
export function readGatedFiles(project: string): GatedFiles {
  const walk: Walk = { project, files: [], bytes: 0, contents: new Map() }
  for (const name of gatedPaths) readEntry(walk, name, [])
  const files = walk.files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  const hash = createHash('sha256').update('rxpi folder trust 1\n')
  for (const file of files) hash.update(`${JSON.stringify(file.path)} ${file.digest}\n`)
  return { files, digest: hash.digest('hex'), contents: walk.contents }
}

interface Walk {
  readonly project: string
  readonly files: GatedFile[]
  bytes: number
  readonly contents: Map<string, Buffer>
}

/** @param above the real paths of the folders around the entry */
function readEntry(walk: Walk, name: string, above: readonly string[]): void {
  const real = resolveInside(walk.project, name)
  if (real === undefined) return
  const status = refuseIfThrown(name, () => lstatSync(real))
  if (status.isDirectory()) readFolder(walk, name, real, above)
  else readFile(walk, name, real, status)
}

/** Undefined for a missing entry, also behind a dangling link: a file that appears there changes the digest. */
function resolveInside(project: string, name: string): string | undefined {
  let real: string
  try {
    real = realpathSync(path.join(project, name))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined
    throw refusal(name, describeThrown(error))
  }
  if (!isInside(real, project)) throw refusal(name, 'it leads out of the folder by a symbolic link')
  return real
}

function readFolder(walk: Walk, name: string, real: string, above: readonly string[]): void {
  if (above.includes(real)) throw refusal(name, 'its symbolic links lead in a circle')
  if (above.length >= gatedLimits.depth)
    throw refusal(name, `it has more than ${gatedLimits.depth} folders in each other`)
  const folder = refuseIfThrown(name, () => opendirSync(real))
  try {
    let entries = 0
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      if (++entries > gatedLimits.files) throw tooMany(name)
      readEntry(walk, `${name}/${entry.name}`, [...above, real])
    }
  } finally {
    folder.closeSync()
  }
}

function readFile(walk: Walk, name: string, real: string, { size }: Stats): void {
  if (walk.files.length >= gatedLimits.files) throw tooMany(name)
  const room = gatedLimits.bytes - walk.bytes
  if (size > room) throw tooLarge(name)
  const content = refuseIfThrown(name, () => readRegularFile(name, real, room))
  walk.bytes += content.length
  walk.files.push({ path: name, bytes: content.length, digest: createHash('sha256').update(content).digest('hex') })
  if (contentPaths.has(name)) walk.contents.set(name, content)
}

/** Opens without following a link and without waiting for a writer: the entry may have been replaced meanwhile. */
function readRegularFile(name: string, real: string, room: number): Buffer {
  const descriptor = openSync(
    real,
    constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY,
  )
  try {
    const status = fstatSync(descriptor)
    if (!status.isFile()) throw refusal(name, 'it is a pipe, socket or device')
    const buffer = Buffer.allocUnsafe(Math.min(status.size, room) + 1)
    let length = 0
    while (length < buffer.length) {
      const count = readSync(descriptor, buffer, length, buffer.length - length, length)
      if (count === 0) return buffer.subarray(0, length)
      length += count
    }
    throw refusal(name, 'it grew while it was read')
  } finally {
    closeSync(descriptor)
  }
}

function isMissingOrEmpty(file: string): boolean {
  try {
    if (!lstatSync(file).isDirectory()) return false
    const folder = opendirSync(file)
    try {
      return folder.readSync() === null
    } finally {
      folder.closeSync()
    }
  } catch (error) {
    return errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR' // reading the file reports any other error
  }
}

function refuseIfThrown<Value>(name: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw error instanceof Failure ? error : refusal(name, describeThrown(error))
  }
}

function tooMany(name: string): Failure {
  return refusal(name, `there are more than ${gatedLimits.files} files`)
}

function tooLarge(name: string): Failure {
  return refusal(name, `the files are larger than ${gatedLimits.bytes / 1_048_576} MiB`)
}

function refusal(name: string, reason: string): Failure {
  return new Failure('bad_request', `The folder cannot be trusted because of ${name}: ${reason}`, {
    data: { path: name },
  })
}
