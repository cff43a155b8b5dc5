// Checks a file before a tool changes it: resolves its name and refuses what must not be replaced.
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import path from 'node:path'
import { isInside, realTarget, resolvePath } from '../../host/files/resolve-path.ts'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { Subscription } from 'rxjs'
import type { ToolContext } from '../../streams/ports/tool.ts'
import { findNewPlaceholder } from '../../streams/values/redaction-placeholder.ts'
import { fromSignal } from '../../streams/rx/from-signal.ts'
import { changeAtClient, unsavedRemark } from './client-text.ts'
import type { ChangedFile } from './text-source.ts'
import { isSameStamp, noStamp } from './file-views.ts'
import type { FileStamp } from './file-views.ts'
import { stampOfFile } from './file-change.ts'
import { notReplaced } from './read-regular.ts'
import { fenceOf, replaceFenced } from './fenced-file.ts'
import { FileProblem } from '../shared/file-problem.ts'

/** Resolves a model's path for a tool that changes files. */
export function changedFile(written: string, cwd: string): ChangedFile {
  const file = resolvePath(written, cwd)
  const isBelow = file !== path.resolve(cwd) && isInside(file, cwd)
  return { path: file, target: realTarget(file), name: isBelow ? path.relative(cwd, file) : file }
}

/**
 * The size in bytes of the file to replace, or undefined if there is none yet.
 * @throws FileProblem if it is not a regular file, or not writable
 */
export async function sizeToReplace(file: ChangedFile): Promise<number | undefined> {
  const size = await sizeOnDisk(file)
  return file.client === undefined ? size : file.client.bytes?.length
}

async function sizeOnDisk(file: ChangedFile): Promise<number | undefined> {
  const status = await stat(file.target).catch((thrown: unknown) => {
    if (errnoOf(thrown) === 'ENOENT') return undefined
    throw thrown
  })
  if (status === undefined) return undefined
  if (status.isDirectory()) throw new FileProblem(`${file.path} is a folder, not a file.`)
  if (!status.isFile()) throw new FileProblem(notReplaced(file.path))
  // replacing needs write access to the folder only, so it would bypass the file's own mode
  await access(file.target, constants.W_OK)
  return status.size
}

/**
 * Runs the work while the server's lock of the file is held: calls that change one file never interleave, whichever
 * name of it or session they use. An abort while it waits rejects; the work itself keeps the lock until it has ended.
 */
export async function changeLocked<Result>(
  written: string,
  context: Pick<ToolContext, 'cwd' | 'locks' | 'sandbox' | 'toolCallId' | 'clientFiles'>,
  signal: AbortSignal,
  work: (file: ChangedFile) => Promise<Result>,
): Promise<Result> {
  const { locks } = context
  for (;;) {
    const file = fencedFile(written, context)
    const holding = new Subscription()
    try {
      await new Promise<void>((resolve, reject) => {
        holding.add(fromSignal(signal).subscribe(() => reject(new Error('Aborted'))))
        if (locks === undefined) resolve()
        else holding.add(locks.hold({ write: [file.target] }).subscribe(() => resolve()))
      })
      // a link on the way may have been changed while this call waited
      if (fencedFile(written, context).target === file.target) return await changeAtClient(file, context, signal, work)
    } finally {
      holding.unsubscribe()
    }
  }
}

/** @throws Failure `not_allowed` behind the fence */
function fencedFile(written: string, context: Pick<ToolContext, 'cwd' | 'sandbox' | 'toolCallId'>): ChangedFile {
  const file = changedFile(written, context.cwd)
  const fence = fenceOf(context)
  if (fence === undefined) return file
  const checked = fence.check(file.path, 'write')
  if (!checked.allowed) throw checked.failure
  return { ...file, target: checked.path, fence }
}

/**
 * Rejects if the file is not in this state any more: another program wrote to it while a tool worked on it.
 * @param stamp undefined: there was no file
 */
async function verifyUnchanged(file: ChangedFile, stamp: FileStamp | undefined): Promise<void> {
  const present = await stampOfFile(file.target)
  const before = stamp === noStamp ? undefined : stamp
  const isSame = before === undefined || present === undefined ? before === present : isSameStamp(before, present)
  if (isSame) return
  throw new FileProblem(`Another program changed ${file.path} at the same moment; nothing was written. Read it again.`)
}

/**
 * Replaces the file at the client or on the disk, if it is still in this state. Returns a sentence for the model with a leading
 * space, or ''.
 * @param stamp undefined: there was no file
 */
export async function replaceChanged(
  file: ChangedFile,
  content: string,
  { stamp, signal }: { readonly stamp: FileStamp | undefined; readonly signal: AbortSignal },
): Promise<string> {
  const verify = (): Promise<void> => verifyUnchanged(file, stamp)
  if (file.client === undefined) {
    await replaceFenced(file.target, content, { fence: file.fence, signal, verify })
    return file.remark ?? ''
  }
  await verify()
  await file.client.write(content)
  return unsavedRemark(file, content, signal)
}

/** @throws FileProblem if the new text has the placeholder of a secret that the file does not have */
export function refusePlaceholder(text: string, original: string, { path: file }: ChangedFile): void {
  const placeholder = findNewPlaceholder(text, original)
  if (placeholder === undefined) return
  throw new FileProblem(
    `The edit has ${placeholder}, which stands for a secret that was hidden from you and is not in ${file}; ` +
      'nothing was changed. Leave the secret out of the edit, so that it stays in the file.',
  )
}
