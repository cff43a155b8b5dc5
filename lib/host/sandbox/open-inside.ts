// Opens a file behind the path fence, and checks the opened file against swapped folders and links.
// Guarantees: on Linux no file outside is created, cut or written, even if folders are swapped by links meanwhile.
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { FenceAccess, FencedPath, PathFence } from '../../streams/ports/sandbox.ts'
import { Failure } from '../../streams/values/failure.ts'
import { errnoOf, storageFailure } from '../files/storage-failure.ts'

export interface OpenInsideOptions {
  /** Creates a missing file; its folder must exist. Only for `write`. */
  readonly create?: boolean
  /** Fails if the file exists. Only with `create`. */
  readonly exclusive?: boolean
  /** Empties the file, after the check. Only for `write`. */
  readonly truncate?: boolean
  /** The mode of a new file. Default: 0666 under the umask. */
  readonly mode?: number
}

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants

/**
 * Opens a file for reading, or for reading and writing. Devices, pipes and sockets are opened without waiting; the
 * caller checks the kind.
 *
 * Linux: opens the folder, checks the folder's real path, opens the name relative to that descriptor without following
 * a link, and checks the file's real path. Elsewhere the folder cannot be held: a swap between the two checks is
 * noticed afterwards, when an empty file may stand outside already. Not seen anywhere: another name of the same file
 * (hard link).
 * @returns the descriptor; the caller closes it
 * @throws Failure `not_allowed` behind the fence or after a swap; `storage` if it cannot be opened
 */
export function openInside(
  fence: PathFence,
  file: string,
  access: FenceAccess,
  options: OpenInsideOptions = {},
): number {
  return withFolder(fence, file, access, (entry, check) => {
    const { create = false, exclusive = false, truncate = false, mode = 0o666 } = options
    const base = access === 'read' ? O_RDONLY : O_RDWR | (create ? O_CREAT : 0) | (create && exclusive ? O_EXCL : 0)
    const descriptor = openSync(entry, base | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode)
    try {
      check(descriptor)
      if (truncate && access === 'write' && fstatSync(descriptor).isFile()) ftruncateSync(descriptor)
    } catch (thrown) {
      closeSync(descriptor)
      throw thrown
    }
    return descriptor
  })
}

/**
 * Calls `act` with a path to the file whose folder is held open and checked: create beside it, rename to it, remove it.
 * On Linux the path leads through the descriptor, so a swapped folder cannot divert it.
 * @param act receives the path, and a check of a descriptor opened there
 * @throws as `openInside`
 */
export function withFolder<Value>(
  fence: PathFence,
  file: string,
  access: FenceAccess,
  act: (entry: string, check: (descriptor: number) => void) => Value,
): Value {
  const folder = holdFolder(fence, file, access)
  try {
    return act(folder.entry, folder.check)
  } catch (thrown) {
    throw openFailure(folder.file, thrown)
  } finally {
    folder.release()
  }
}

export interface HeldFolder {
  /** Absolute, real. */
  readonly file: string
  /** The path to use; on Linux it leads through the descriptor. */
  readonly entry: string
  readonly descriptor: number
  /** @throws Failure `not_allowed` if what was opened there is not inside */
  check(descriptor: number): void
  /** Closes the descriptor: `entry` is invalid then. */
  release(): void
}

/** As `withFolder`, for work that takes time: the caller releases it. @throws as `openInside` */
export function holdFolder(fence: PathFence, file: string, access: FenceAccess): HeldFolder {
  const checked = requireAllowed(fence.check(file, access))
  const folder = path.dirname(checked.path)
  const base = path.basename(checked.path)
  let held: number | undefined
  try {
    held = openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    const found = pathOf(held, folder)
    requireAllowed(fence.checkReal(path.join(found, base), access))
    const descriptor = held
    return {
      file: checked.path,
      entry: hasDescriptorPaths ? `/proc/self/fd/${descriptor}/${base}` : checked.path,
      descriptor,
      check: (opened) => {
        requireAllowed(fence.checkReal(pathOf(opened, checked.path), access))
      },
      release: () => closeSync(descriptor),
    }
  } catch (thrown) {
    if (held !== undefined) closeSync(held)
    throw openFailure(checked.path, thrown)
  }
}

function openFailure(file: string, thrown: unknown): Failure {
  const isSwapped = errnoOf(thrown) === 'ELOOP' && !isCircle(file)
  return isSwapped ? swapped(file, thrown) : storageFailure(`open ${file}`, thrown)
}

/** True if the links of the path lead in a circle: repeating the call does not help. */
function isCircle(file: string): boolean {
  try {
    realpathSync(file)
    return false
  } catch (thrown) {
    return errnoOf(thrown) === 'ELOOP'
  }
}

const hasDescriptorPaths = process.platform === 'linux'

/** The real path of what the descriptor holds. */
function pathOf(descriptor: number, name: string): string {
  if (!hasDescriptorPaths) return realpathSync(name)
  const found = readlinkSync(`/proc/self/fd/${descriptor}`)
  if (found.endsWith(' (deleted)') && fstatSync(descriptor).nlink === 0) throw swapped(name, undefined)
  return found
}

function requireAllowed(decision: ReturnType<PathFence['check']>): FencedPath {
  if (!decision.allowed) throw decision.failure
  return decision
}

function swapped(file: string, cause: unknown): Failure {
  const message = `${file} changed while it was opened; look at it again and repeat the call`
  return new Failure('not_allowed', message, { cause, data: { path: file, reason: 'outside' } })
}
