// Compares a file with the state that the model saw, and describes what changed.
import { stat } from 'node:fs/promises'
import { digestOf } from '../shared/digest.ts'
import { isSameStamp, noStamp, stampOf, wholeView } from './file-views.ts'
import type { FileStamp, FileView, FileViews } from './file-views.ts'
import type { ChangedFile } from './text-source.ts'
import { unifiedDiff } from './unified-diff.ts'

/** The present state of a file. */
export interface PresentFile {
  /** Taken before the content was read. */
  readonly stamp: FileStamp
  /** Undefined if it cannot be read, or is too long to compare. */
  readonly bytes: Uint8Array | undefined
}

const maxDiff = 4_000

/** True if the content differs from the view's, or may differ. */
export function hasChanged(view: FileView, { stamp, bytes }: PresentFile): boolean {
  if (view.digest !== undefined && bytes !== undefined) return digestOf(bytes) !== view.digest
  return !isSameStamp(view.stamp, stamp)
}

/** A diff from the view to the present content; undefined if one of them is not known or it would be long. */
export async function describeChange(
  view: FileView,
  { bytes }: PresentFile,
  name: string,
): Promise<string | undefined> {
  if (view.text === undefined || bytes === undefined) return undefined
  const after = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
  const diff = await unifiedDiff({ name, before: view.text, after })
  return diff === undefined || diff.length > maxDiff ? undefined : diff
}

/** Stores the content that a tool has written as the model's view: the model knows it. */
export async function rememberWritten(
  views: FileViews,
  session: string,
  { target, client }: Pick<ChangedFile, 'target' | 'client'>,
  content: string,
): Promise<void> {
  const stamp = (await stampOfFile(target)) ?? (client && noStamp)
  if (stamp !== undefined) views.remember(session, target, wholeView(stamp, Buffer.from(content)))
}

/** Undefined if there is no such file any more. */
export async function stampOfFile(target: string): Promise<FileStamp | undefined> {
  const status = await stat(target, { bigint: true }).catch(() => undefined) // it was removed meanwhile
  return status === undefined ? undefined : stampOf(status)
}
