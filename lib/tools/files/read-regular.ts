// Reads a whole file for a tool that changes it.
// Guarantees: a pipe or device in its place never holds the call, also if it appears after a check of the name.
import { closeSync, fstatSync } from 'node:fs'
import { FileProblem } from '../shared/file-problem.ts'
import type { PresentFile } from './file-change.ts'
import { stampOf } from './file-views.ts'
import { openToRead } from './fenced-file.ts'
import { wholeFile } from './read-window.ts'
import type { PathFence } from '../../streams/ports/sandbox.ts'

interface NamedFile {
  /** Absolute, as requested. */
  readonly path: string
  /** The real target. */
  readonly target: string
  /** The fence of the call. Undefined: every file can be opened. */
  readonly fence?: PathFence | undefined
}

/** The content, and the state of the file before it was read. @throws FileProblem if it is not a regular file */
export async function readRegular(
  { path, target, fence }: NamedFile,
  signal: AbortSignal,
): Promise<PresentFile & { readonly bytes: Buffer }> {
  const descriptor = await openToRead(target, fence)
  try {
    const status = fstatSync(descriptor, { bigint: true })
    if (!status.isFile()) throw new FileProblem(notReplaced(path))
    return { stamp: stampOf(status), bytes: await wholeFile(descriptor, signal) }
  } finally {
    closeSync(descriptor)
  }
}

/** The message for a file that a tool does not change. */
export function notReplaced(path: string): string {
  return `${path} is a pipe, socket or device, not a regular file; it is not replaced.`
}
