// Creates private files and folders, and reads files that decide about trust.
// Guarantees: folders 0700, files 0600 whatever the umask, and never through a symlink.
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
} from 'node:fs'
import path from 'node:path'
import { Failure } from '../../streams/values/failure.ts'
import { isInside } from './resolve-path.ts'
import { errnoOf, storageFailure } from './storage-failure.ts'
import { describeJsonFault } from '../../streams/values/json-fault.ts'

/**
 * Ensures that `folder` exists, is a real folder of this user and has mode 0700; creates missing parents the same way.
 *
 * Checks and tightens rxpi's own folders: `folder` itself, all created ones, and with `top` every folder from `top`
 * down. A folder with the sticky bit (like /tmp) is shared and refused, not tightened.
 * @param folder absolute
 * @param top absolute; rxpi's topmost folder, `folder` or a parent of it. Default: `folder`
 * @throws Failure `storage`
 */
export function ensurePrivateFolder(folder: string, top: string = folder): void {
  for (const parent of listParents(folder)) {
    const ours = parent === folder || isInside(parent, top)
    if (makeFolder(parent) || ours) claimFolder(parent)
  }
}

/**
 * Creates a new file for reading and appending, mode 0600.
 * @returns its descriptor; the caller closes it
 * @throws Failure `storage`; `data.errno` is `EEXIST` if the name exists, also as a dangling link
 */
export function createPrivateFile(file: string): number {
  const { O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    fchmodSync(descriptor, 0o600)
    return descriptor
  } catch (thrown) {
    if (descriptor !== undefined) {
      closeSync(descriptor)
      unlinkSync(file)
    }
    throw storageFailure(`create ${file}`, thrown)
  }
}

/**
 * Reads a file that nobody but this user can write; undefined if there is none.
 * @throws Error with the reason: a link, another kind of file, another owner, writable by others, too large
 */
export function readPrivateText(file: string, maxBytes: number): string | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    const { mode, size, uid } = fstatSync(descriptor)
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw new Error('it is not a regular file')
    if (uid !== process.geteuid?.()) throw new Error('it belongs to another user')
    if ((mode & 0o022) !== 0) throw new Error('other users can write it')
    if (size > maxBytes) throw new Error('it is too large')
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Reads a JSON file that nobody but this user can write; undefined if there is none.
 * @throws Error with the reason, as `readPrivateText`, and for text that is no JSON
 */
export function readPrivateJson(file: string, maxBytes: number): unknown {
  const text = readPrivateText(file, maxBytes)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(describeJsonFault(text))
  }
}

function listParents(folder: string): string[] {
  const parents = [folder]
  for (let parent = folder; path.dirname(parent) !== parent;) {
    parent = path.dirname(parent)
    parents.unshift(parent)
  }
  return parents
}

/** True if it was created; false if the name exists. */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 })
    return true
  } catch (thrown) {
    // A read-only parent answers EACCES or EROFS even if the folder exists.
    if (errnoOf(thrown) === 'EEXIST' || existsSync(folder)) return false
    throw storageFailure(`create the folder ${folder}`, thrown)
  }
}

function claimFolder(folder: string): void {
  const status = lstatSync(folder)
  if (status.isSymbolicLink()) throw privateFolderFailure(folder, 'is a symbolic link', 'name the folder it points to')
  if (!status.isDirectory()) throw privateFolderFailure(folder, 'is not a folder', 'move it away')
  if (status.uid !== process.geteuid?.())
    throw privateFolderFailure(folder, 'belongs to another user', 'choose a folder of yours')
  if ((status.mode & 0o1000) !== 0)
    throw privateFolderFailure(folder, 'is shared with other users', 'choose a folder inside it')
  if ((status.mode & 0o777) !== 0o700) tightenMode(folder)
}

function tightenMode(folder: string): void {
  try {
    chmodSync(folder, 0o700)
  } catch (thrown) {
    throw storageFailure(`make the folder ${folder} private`, thrown)
  }
}

function privateFolderFailure(folder: string, fault: string, advice: string): Failure {
  return new Failure('storage', `${folder} ${fault}; rxpi keeps its files in folders of its own: ${advice}`)
}
