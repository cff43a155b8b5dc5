// Replaces a file behind the path fence: as `replaceFile`, relative to a checked folder descriptor.
// Guarantees: a reader finds the old file or the new one, whole; on Linux a folder that is swapped diverts nothing.
import { fsyncSync, lstatSync, mkdirSync } from 'node:fs'
import { lstat, open, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { PathFence } from '../../streams/ports/sandbox.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import { errnoOf } from '../files/storage-failure.ts'
import { holdFolder, withFolder } from './open-inside.ts'

export interface ReplaceInsideOptions {
  /** Called just before the rename; a rejection leaves the old file. Default: nothing. */
  readonly verify?: () => Promise<void>
}

/**
 * Writes beside the file, syncs, renames over it. Mode bits except setuid and setgid stay, and the owner if possible.
 * An abort before the rename leaves the old file and no trace.
 * @param file absolute; its folder exists
 * @throws Failure `not_allowed` behind the fence or after a swap; `storage`, or the system's error if it cannot be
 * written
 */
export async function replaceInside(
  fence: PathFence,
  file: string,
  content: string,
  signal: AbortSignal,
  { verify }: ReplaceInsideOptions = {},
): Promise<void> {
  const folder = holdFolder(fence, file, 'write')
  const { entry } = folder
  const beside = `${entry}.${randomIds().short()}`
  try {
    signal.throwIfAborted()
    const old = await rightsOf(entry)
    const handle = await open(beside, 'wx', old?.mode ?? 0o666)
    try {
      if (old !== undefined) await copyRights(handle, old)
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await verify?.()
    signal.throwIfAborted()
    await rename(beside, entry)
    fsyncSync(folder.descriptor)
  } catch (thrown) {
    await rm(beside, { force: true })
    throw thrown
  } finally {
    folder.release()
  }
}

interface Rights {
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

/** Without setuid and setgid: the new content must not run with the rights of the old. Undefined for a new file. */
async function rightsOf(entry: string): Promise<Rights | undefined> {
  try {
    const { mode, uid, gid } = await lstat(entry)
    return { mode: mode & 0o1777, uid, gid }
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return undefined
    throw thrown
  }
}

/** The owner first: changing it clears mode bits. Only root may give a file away. */
async function copyRights(handle: FileHandle, { mode, uid, gid }: Rights): Promise<void> {
  const own = await handle.stat()
  if (own.uid !== uid || own.gid !== gid)
    await handle.chown(uid, gid).catch((thrown: unknown) => {
      if (errnoOf(thrown) !== 'EPERM') throw thrown
    })
  await handle.chmod(mode)
}

/** Creates the missing folders above a file, each in a folder that was checked. @throws as `replaceInside` */
export function createFoldersInside(fence: PathFence, file: string): void {
  const missing: string[] = []
  for (let folder = path.dirname(file); isMissing(folder); folder = path.dirname(folder)) missing.push(folder)
  for (const folder of missing.reverse()) withFolder(fence, folder, 'write', createFolder)
}

function isMissing(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false }) === undefined
}

function createFolder(entry: string): void {
  try {
    mkdirSync(entry)
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown // another call created it
  }
}
